internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("COSE keys")
struct COSEKeyTests {
    private static let message = Array("what was signed".utf8)
    private static let p256 = P256.Signing.PrivateKey()
    private static let p384 = P384.Signing.PrivateKey()
    private static let p521 = P521.Signing.PrivateKey()
    private static let ed25519 = Curve25519.Signing.PrivateKey()

    private static func point(_ algorithm: Int64, _ curve: Int64, _ raw: some Sequence<UInt8>) -> CBOR {
        let raw = Array(raw)
        return map([
            (1, 2), (3, CBOR(algorithm)), (-1, CBOR(curve)), (-2, .bytes(Array(raw[..<(raw.count / 2)]))),
            (-3, .bytes(Array(raw[(raw.count / 2)...]))),
        ])
    }

    private static let es256 = point(-7, 1, p256.publicKey.rawRepresentation)
    private static let okp = map([
        (1, 1), (3, -8), (-1, 6), (-2, .bytes(Array(ed25519.publicKey.rawRepresentation))),
    ])

    private static func rsa(_ key: _RSA.Signing.PrivateKey) throws -> CBOR {
        let numbers = try key.publicKey.getKeyPrimitives()
        return map([
            (1, 3), (3, -257), (-1, .bytes(Array(numbers.modulus))), (-2, .bytes(Array(numbers.publicExponent))),
        ])
    }

    @Test("each algorithm verifies its key's signatures, and no others")
    func algorithms() throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let signed: [(CBOR, COSEAlgorithm, [UInt8])] = [
            (Self.es256, .es256, Array(try Self.p256.signature(for: Self.message).derRepresentation)),
            (
                Self.point(-35, 2, Self.p384.publicKey.rawRepresentation), .es384,
                Array(try Self.p384.signature(for: Self.message).derRepresentation)
            ),
            (
                Self.point(-36, 3, Self.p521.publicKey.rawRepresentation), .es512,
                Array(try Self.p521.signature(for: Self.message).derRepresentation)
            ),
            (Self.okp, .edDSA, Array(try Self.ed25519.signature(for: Self.message))),
            (
                try Self.rsa(rsa), .rs256,
                Array(try rsa.signature(for: Self.message, padding: .insecurePKCS1v1_5).rawRepresentation)
            ),
        ]
        #expect(Set(signed.map(\.1)) == Set(COSEAlgorithm.allCases))
        for (cbor, algorithm, signature) in signed {
            let key = try COSEKey(decoding: cbor.encoded)
            #expect(key.algorithm == algorithm)
            #expect(key.encoded == cbor.encoded)
            #expect(try COSEKey(cbor) == key)
            try key.verify(signature: signature, over: Self.message)
            // In two parts it is the same message.
            try key.verify(signature: signature, over: Array(Self.message.prefix(4)), Array(Self.message.dropFirst(4)))
            for position in [0, signature.count / 2, -1] {
                #expect(throws: WebAuthnError.badSignature) {
                    try key.verify(signature: signature.flipping(position), over: Self.message)
                }
            }
            for wrong in [[], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: 600)] {
                #expect(throws: WebAuthnError.badSignature) { try key.verify(signature: wrong, over: Self.message) }
            }
            #expect(throws: WebAuthnError.badSignature) {
                try key.verify(signature: signature, over: Self.message, [0])
            }
        }
        for (cbor, _, _) in signed {
            let key = try COSEKey(cbor)
            #expect(signed.count { (try? key.verify(signature: $0.2, over: Self.message)) != nil } == 1)
        }
    }

    @Test("an ECDSA signature is DER, not the two numbers")
    func rawSignature() throws {
        let signature = Array(try Self.p256.signature(for: Self.message).rawRepresentation)
        #expect(throws: WebAuthnError.badSignature) {
            try COSEKey(Self.es256).verify(signature: signature, over: Self.message)
        }
    }

    @Test("impossible numbers are refused as signatures: zero, and more bytes than the curve's")
    func rangeOfSignatures() throws {
        let key = try COSEKey(Self.es256)
        for wrong in ["3006020100020100", "3006020101020100", "3006020100020101", "3006020101020101"] {
            #expect(throws: WebAuthnError.badSignature) { try key.verify(signature: hex(wrong), over: Self.message) }
        }
        let long = [0x30, 0x46, 0x02, 0x21, 0x01] + [UInt8](repeating: 7, count: 32)
        #expect(throws: WebAuthnError.badSignature) {
            try key.verify(signature: long + long.dropFirst(2), over: Self.message)
        }
    }

    @Test("a Swift Crypto key converts to the same key")
    func ofSwiftCrypto() throws {
        let key = COSEKey(Self.p256.publicKey)
        #expect(key.encoded == Self.es256.encoded)
        #expect(try key == COSEKey(decoding: Self.es256.encoded))
        try key.verify(
            signature: Array(Self.p256.signature(for: Self.message).derRepresentation), over: Self.message)
    }

    @Test("unsupported algorithms are refused by number, and have a name")
    func unsupported() {
        let named: [(Int64, String?)] = [
            (-53, "Ed448"), (-47, "ES256K"), (-37, "PS256"), (-65535, "RS1"), (-9, "ESP256"), (-19, "Ed25519"),
            (0, nil),
            (7, nil), (.min, nil),
        ]
        for (number, name) in named {
            #expect(throws: WebAuthnError.unsupportedAlgorithm(number)) {
                try COSEKey(Self.es256.with(3, CBOR(number)))
            }
            #expect(COSEAlgorithm.name(of: number) == name)
        }
        #expect(COSEAlgorithm.allCases.map(\.description) == ["ES256", "EdDSA", "ES384", "ES512", "RS256"])
    }

    private static let broken: [(String, CBOR)] = {
        let zero = [UInt8](repeating: 0, count: 32)
        let raw = Array(p256.publicKey.rawRepresentation)
        let cutElsewhere = es256.with(-2, .bytes(Array(raw[..<31]))).with(-3, .bytes(Array(raw[31...])))
        let nothing = es256.with(-2, .bytes(zero)).with(-3, .bytes(zero))
        let longX: [UInt8] = [0] + raw[..<32]
        let longY: [UInt8] = raw[32...] + [0]
        let fields: [(String, CBOR)] = [
            ("no map", .array([])),
            ("no type", es256.with(1, nil)), ("no algorithm", es256.with(3, nil)), ("no curve", es256.with(-1, nil)),
            ("no x", es256.with(-2, nil)), ("no y", es256.with(-3, nil)),
        ]
        let values: [(String, CBOR)] = [
            ("a type in text", es256.with(1, .text("2"))), ("an algorithm in text", es256.with(3, .text("ES256"))),
            ("another type", es256.with(1, 1)), ("another curve", es256.with(-1, 2)),
            ("a compressed point", es256.with(-3, .bool(true))),
            ("a point that is not on the curve", es256.with(-3, .bytes(zero))),
            ("the point of nothing", nothing),
            ("x too short", es256.with(-2, .bytes(Array(raw[1..<32])))),
            ("x with a zero in front", es256.with(-2, .bytes(longX))),
            ("y too long", es256.with(-3, .bytes(longY))),
            ("the halves cut elsewhere", cutElsewhere),
        ]
        let parameters: [(String, CBOR)] = [
            ("an optional parameter", es256.with(2, .bytes([1]))), ("a private part", es256.with(-4, .bytes(zero))),
            ("another parameter", es256.with("kid", .null)),
            ("the algorithm of another curve", es256.with(3, -35)), ("the algorithm of Ed25519", es256.with(3, -8)),
            ("Ed25519 of another type", okp.with(1, 2)), ("X25519", okp.with(-1, 4)),
            ("Ed448's curve", okp.with(-1, 7)),
            ("31 bytes", okp.with(-2, .bytes(Array(zero.dropLast())))), ("with y", okp.with(-3, .bytes(zero))),
        ]
        return fields + values + parameters
    }()

    @Test("a key with one error is refused", arguments: broken.indices)
    func malformed(_ index: Int) {
        let (what, cbor) = Self.broken[index]
        #expect(throws: WebAuthnError.malformed(.publicKey), "\(what)") { try COSEKey(decoding: cbor.encoded) }
        #expect(throws: WebAuthnError.malformed(.publicKey), "\(what)") { try COSEKey(cbor) }
    }

    @Test(
        "a point of Ed25519 whose order is 8 or less is refused, in every encoding",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func smallOrder(_ text: String) throws {
        var point = try Hex.decode(text)
        for _ in 0..<2 {
            #expect(throws: WebAuthnError.malformed(.publicKey)) {
                try COSEKey(Self.okp.with(-2, .bytes(point)))
            }
            point[31] ^= 0x80
        }
    }

    @Test("bytes after a key, a truncated key, and other forms of CBOR are refused")
    func bytes() {
        let encoded = Self.es256.encoded
        let unordered = [0xa5, 0x03, 0x26, 0x01, 0x02] + encoded.dropFirst(5)
        for wrong in [[], encoded + [0], Array(encoded.dropLast()), unordered] {
            #expect(throws: WebAuthnError.malformed(.publicKey)) { try COSEKey(decoding: wrong) }
        }
    }

    @Test("RSA: 2048 to 4096 bits, an odd exponent of at most four bytes, no leading zeros")
    func rsa() throws {
        let key = try Self.rsa(_RSA.Signing.PrivateKey(keySize: .bits2048))
        #expect(try COSEKey(key).algorithm == .rs256)
        guard case .bytes(let modulus)? = key[-1] else { return }
        let short = try Self.rsa(_RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)))
        let long = [UInt8](repeating: 0xff, count: 513)
        let broken: [(String, CBOR)] = [
            ("1024 bits", short), ("4104 bits", key.with(-1, .bytes(long))),
            ("a zero in front", key.with(-1, .bytes([0] + modulus))), ("no modulus", key.with(-1, .bytes([]))),
            ("no exponent", key.with(-2, .bytes([]))), ("1", key.with(-2, .bytes([1]))),
            ("even", key.with(-2, .bytes([2]))),
            ("zero in front of it", key.with(-2, .bytes([0, 1, 0, 1]))),
            ("five bytes", key.with(-2, .bytes([1, 0, 0, 0, 1]))), ("of another type", key.with(1, 2)),
            ("with a private part", key.with(-3, .bytes([1]))),
            ("2047 bits", key.with(-1, .bytes([0x7f] + Array(modulus[1...])))),
        ]
        for (what, cbor) in broken {
            #expect(throws: WebAuthnError.malformed(.publicKey), "\(what)") { try COSEKey(cbor) }
        }
    }

    @Test("accepted bytes are encoded to the same bytes")
    func fuzz() throws {
        let rsa = try Self.rsa(_RSA.Signing.PrivateKey(keySize: .bits2048))
        let seeds = [Self.es256, Self.okp, rsa, Self.point(-36, 3, Self.p521.publicKey.rawRepresentation)]
        Fuzz.roundTrips(
            of: seeds.map(\.encoded), iterations: 10_000,
            decode: { try COSEKey(CBOR(decoding: COSEKey(decoding: $0).encoded)) },
            encode: { $0.encoded })
    }
}
