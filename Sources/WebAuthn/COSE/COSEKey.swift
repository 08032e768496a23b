public import Crypto
internal import CryptoExtras
public import Encoding

/// The public key of a credential: a `COSE_Key` (RFC 9052, section 7) in the only form that WebAuthn allows (Level 3,
/// section 6.5.1): it has the algorithm and no optional parameter, and points are not compressed.
///
/// Every value can verify: points are on their curve, moduli within the limits.
public struct COSEKey: Sendable {
    /// The algorithm of its signatures.
    public let algorithm: COSEAlgorithm
    /// The `COSE_Key`: the key's only encoding.
    public let encoded: [UInt8]
    let key: Key

    enum Key: Sendable {
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
    }

    /// Reads a key, without left-over bytes.
    ///
    /// - Throws: ``WebAuthnError/unsupportedAlgorithm(_:)``; ``WebAuthnError/malformed(_:)`` with `publicKey` for all else.
    public init(decoding bytes: some Collection<UInt8>) throws(WebAuthnError) {
        let cbor: CBOR
        do {
            cbor = try CBOR(decoding: bytes, limit: WebAuthnLimits.authenticatorDataBytes)
        } catch { throw .malformed(.publicKey) }
        // The decoder accepts only the deterministic form, so these bytes are those of `cbor`.
        try self.init(cbor, encoded: Array(bytes))
    }

    /// Reads a key from CBOR. - Throws: as ``init(decoding:)``.
    public init(_ cbor: CBOR) throws(WebAuthnError) { try self.init(cbor, encoded: cbor.encoded) }

    init(_ cbor: CBOR, encoded: [UInt8]) throws(WebAuthnError) {
        guard case .map(let map) = cbor, let type = cbor[Label.type]?.integer,
            let number = cbor[Label.algorithm]?.integer
        else { throw .malformed(.publicKey) }
        guard let algorithm = COSEAlgorithm(rawValue: number) else { throw .unsupportedAlgorithm(number) }
        let key: Key?
        switch algorithm {
        case .es256, .es384, .es512: key = Self.point(cbor, type, algorithm)
        case .edDSA: key = Self.edwards(cbor, type)
        case .rs256: key = Self.rsa(cbor, type)
        }
        // Section 5.8.5 and 6.5.1: no optional parameter beside "alg".
        guard let key, map.entries.count == key.parameters else { throw .malformed(.publicKey) }
        self.algorithm = algorithm
        self.encoded = encoded
        self.key = key
    }

    /// Creates a key of ES256.
    public init(_ key: P256.Signing.PublicKey) {
        let point = Array(key.rawRepresentation)
        self.algorithm = .es256
        self.key = .p256(key)
        self.encoded =
            [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32) + [0x22, 0x58, 0x20]
            + point.suffix(32)
    }

    // MARK: Reading

    /// The labels of RFC 9052, section 7.1, and RFC 9053, section 7; RFC 8230, section 4.
    private enum Label {
        static let type: Int64 = 1
        static let algorithm: Int64 = 3
        static let curve: Int64 = -1
        static let x: Int64 = -2
        static let y: Int64 = -3
        static let modulus: Int64 = -1
        static let exponent: Int64 = -2
    }

    private enum KeyType {
        static let octetKeyPair: Int64 = 1
        static let ellipticCurve: Int64 = 2
        static let rsa: Int64 = 3
    }

    private static func point(_ cbor: CBOR, _ type: Int64, _ algorithm: COSEAlgorithm) -> Key? {
        // `y` as bytes: for a compressed point it would be a Boolean.
        guard type == KeyType.ellipticCurve, let curve = cbor[Label.curve]?.integer,
            case .bytes(let x)? = cbor[Label.x], case .bytes(let y)? = cbor[Label.y]
        else { return nil }
        // Swift Crypto checks that the point is on the curve.
        switch (algorithm, curve) {
        case (.es256, 1) where x.count == 32 && y.count == 32:
            return (try? P256.Signing.PublicKey(rawRepresentation: x + y)).map { .p256($0) }
        case (.es384, 2) where x.count == 48 && y.count == 48:
            return (try? P384.Signing.PublicKey(rawRepresentation: x + y)).map { .p384($0) }
        case (.es512, 3) where x.count == 66 && y.count == 66:
            return (try? P521.Signing.PublicKey(rawRepresentation: x + y)).map { .p521($0) }
        default: return nil
        }
    }

    private static func edwards(_ cbor: CBOR, _ type: Int64) -> Key? {
        guard type == KeyType.octetKeyPair, cbor[Label.curve]?.integer == 6, case .bytes(let x)? = cbor[Label.x],
            x.count == 32, !hasSmallOrder(x)
        else { return nil }
        return (try? Curve25519.Signing.PublicKey(rawRepresentation: x)).map { .ed25519($0) }
    }

    /// Returns whether an encoded point of Ed25519 has an order of 8 or less. Under such a key a signature exists that is
    /// valid for one in eight messages or for all of them, and needs no private key (RFC 8032 does not refuse it).
    private static func hasSmallOrder(_ point: [UInt8]) -> Bool {
        // The sign of x is the highest bit: both points of a y have the same order.
        let y = point.dropLast() + [point[point.count - 1] & 0x7f]
        return smallOrders.contains(Array(y))
    }

    /// The y of these points, little-endian, also those of 2^255 - 19 and above. The list of libsodium
    /// (`ge25519_has_small_order`).
    private static let smallOrders: Set<[UInt8]> = [
        // Orders 4, 1.
        [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
        // Order 8.
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf,
            0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20,
            0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
        // Order 2: -1. Orders 4, 1: 0 and 1, each plus 2^255 - 19.
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f], [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    ]

    private static func rsa(_ cbor: CBOR, _ type: Int64) -> Key? {
        guard type == KeyType.rsa, case .bytes(let modulus)? = cbor[Label.modulus],
            case .bytes(let exponent)? = cbor[Label.exponent],
            // RFC 8230: no leading zeros, so that a key has one form.
            let first = modulus.first, first != 0, exponent.first != 0, (1...4).contains(exponent.count)
        else { return nil }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard WebAuthnLimits.rsaBits.contains(bits) else { return nil }
        return (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)).map { .rsa($0) }
    }

    // MARK: Verifying

    /// Verifies a signature over `message` followed by `rest`, in the form of this key's algorithm: ECDSA in DER (Level
    /// 3, section 6.5.5), 64 bytes of Ed25519, RSA as long as the modulus.
    ///
    /// - Throws: ``WebAuthnError/badSignature``, also for bytes that are not a signature.
    public func verify(
        signature: [UInt8], over message: [UInt8], _ rest: [UInt8] = []
    ) throws(WebAuthnError) {
        guard isValid(signature, over: message, rest) else { throw .badSignature }
    }

    private func isValid(_ signature: [UInt8], over message: [UInt8], _ rest: [UInt8]) -> Bool {
        switch key {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Self.digest(SHA256.self, message, rest))
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Self.digest(SHA384.self, message, rest))
        case .p521(let key):
            guard let signature = try? P521.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: Self.digest(SHA512.self, message, rest))
        case .ed25519(let key):
            return key.isValidSignature(signature, for: message + rest)
        case .rsa(let key):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: Self.digest(SHA256.self, message, rest),
                padding: .insecurePKCS1v1_5)
        }
    }

    private static func digest<Hash: HashFunction>(
        _ hash: Hash.Type, _ message: [UInt8], _ rest: [UInt8]
    ) -> Hash.Digest {
        var hasher = Hash()
        hasher.update(data: message)
        hasher.update(data: rest)
        return hasher.finalize()
    }
}

extension COSEKey.Key {
    /// The number of parameters in its `COSE_Key`.
    fileprivate var parameters: Int {
        switch self {
        case .p256, .p384, .p521: 5
        case .ed25519, .rsa: 4
        }
    }
}

extension COSEKey: Equatable {
    /// Returns whether both are the same key, of the same algorithm.
    public static func == (left: COSEKey, right: COSEKey) -> Bool { left.encoded == right.encoded }
}
