internal import CSecp256k1
internal import Secrets

/// An ECDSA signature for secp256k1 (SEC 1, 4.1): the numbers r and s, neither zero, s not above half the group order.
///
/// If (r, s) is valid, so is (r, -s) for the same message and key. Bitcoin (BIP-146) and Ethereum (EIP-2) accept only
/// the one with the lower s, so that a signature cannot be changed in transit. This type cannot represent the other.
public struct ECDSASignature: Hashable, Sendable {
    /// The x-coordinate of the nonce's point, modulo the group order.
    public let r: Scalar<Secp256k1>
    /// The number s, from 1 to (n - 1) / 2.
    public let s: Scalar<Secp256k1>

    /// Converts the library's form of a signature, which exists for any r and s.
    private init(_ signature: secp256k1_ecdsa_signature) throws(CurvesError) {
        var signature = signature
        var bytes = [UInt8](repeating: 0, count: Self.compactSize)
        let context = Secp256k1.Context.shared.pointer
        secp256k1_ecdsa_signature_serialize_compact(context, &bytes, &signature)
        // Without memory for the result, the function only returns whether s is high.
        guard secp256k1_ecdsa_signature_normalize(context, nil, &signature) == 0 else { throw .invalidSignature }
        r = try Scalar(canonical: bytes.prefix(32))
        s = try Scalar(canonical: bytes.dropFirst(32))
        guard !r.isZero, !s.isZero else { throw .invalidSignature }
    }

    private var library: secp256k1_ecdsa_signature {
        var signature = secp256k1_ecdsa_signature()
        let result = secp256k1_ecdsa_signature_parse_compact(Secp256k1.Context.shared.pointer, &signature, compact)
        precondition(result == 1, "a scalar is below the order")
        return signature
    }

    /// Returns the signature with r and with s or -s, whichever is low, and whether it was -s. In that case the nonce's
    /// point is negated, which flips the lowest bit of the recovery id.
    ///
    /// - Throws: ``CurvesError/invalidSignature`` if r or s is zero.
    public static func normalised(
        r: Scalar<Secp256k1>, s: Scalar<Secp256k1>
    ) throws(CurvesError) -> (signature: ECDSASignature, isNegated: Bool) {
        var signature = secp256k1_ecdsa_signature()
        let context = Secp256k1.Context.shared.pointer
        let isParsed = secp256k1_ecdsa_signature_parse_compact(context, &signature, r.encoded + s.encoded)
        precondition(isParsed == 1, "a scalar is below the order")
        let isNegated = withUnsafePointer(to: signature) { given in
            secp256k1_ecdsa_signature_normalize(context, &signature, given) == 1
        }
        return (try ECDSASignature(signature), isNegated)
    }
}

extension ECDSASignature {
    /// The size of the compact form in bytes.
    public static let compactSize = 64

    /// The compact form: r and s in 32 bytes each, big-endian.
    public var compact: [UInt8] { r.encoded + s.encoded }

    /// Decodes the compact form, r and s in 32 bytes each.
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)``, or ``CurvesError/invalidSignature`` if a number is zero or
    ///   not below the group order, or s is high.
    public init(compact bytes: some Collection<UInt8>) throws(CurvesError) {
        guard bytes.count == Self.compactSize else { throw .wrongSize(expected: Self.compactSize, got: bytes.count) }
        var signature = secp256k1_ecdsa_signature()
        guard
            secp256k1_ecdsa_signature_parse_compact(Secp256k1.Context.shared.pointer, &signature, Array(bytes)) == 1
        else { throw .invalidSignature }
        try self.init(signature)
    }

    /// The only DER encoding that BIP-66 allows, at most 71 bytes.
    public var der: [UInt8] {
        var signature = library
        var size = 72
        var bytes = [UInt8](repeating: 0, count: size)
        let result = secp256k1_ecdsa_signature_serialize_der(
            Secp256k1.Context.shared.pointer, &bytes, &size, &signature)
        precondition(result == 1, "no signature is longer than 72 bytes")
        return Array(bytes.prefix(size))
    }

    /// Decodes the DER encoding that BIP-66 allows, and no other.
    ///
    /// - Throws: ``CurvesError/invalidSignature``, also if a number is zero or not below the group order, or s is high.
    public init(der bytes: some Collection<UInt8>) throws(CurvesError) {
        let bytes = Array(bytes)
        var signature = secp256k1_ecdsa_signature()
        // The library accepts strict DER only; a test verifies that.
        guard
            secp256k1_ecdsa_signature_parse_der(
                Secp256k1.Context.shared.pointer, &signature, bytes, bytes.count) == 1
        else { throw .invalidSignature }
        try self.init(signature)
    }
}

extension ECDSASignature {
    /// Returns whether the key made this signature for the message.
    ///
    /// - Parameter message: the hash of the message, 32 bytes. With another size no signature is valid.
    public func isValid(message: [UInt8], publicKey: Secp256k1.Point) -> Bool {
        guard message.count == 32, var key = publicKey.key else { return false }
        var signature = library
        return secp256k1_ecdsa_verify(Secp256k1.Context.shared.pointer, &signature, message, &key) == 1
    }

    /// Signs, in constant time, with the nonce of RFC 6979.
    ///
    /// - Parameter message: the hash of the message, 32 bytes.
    /// - Throws: ``CurvesError/zero`` for a key that is zero, ``CurvesError/wrongSize(expected:got:)``.
    public static func sign(
        message: [UInt8], key: borrowing SecretScalar<Secp256k1>
    ) throws(CurvesError) -> ECDSASignature {
        guard message.count == 32 else { throw .wrongSize(expected: 32, got: message.count) }
        guard !key.isZero else { throw .zero }
        var signature = secp256k1_ecdsa_signature()
        let isSigned = key.bytes.withUnsafeBytes {
            secp256k1_ecdsa_sign(Secp256k1.Context.shared.pointer, &signature, message, $0.start, nil, nil)
        }
        precondition(isSigned == 1, "a key that is neither zero nor out of range was refused")
        return try ECDSASignature(signature)
    }
}
