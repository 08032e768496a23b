internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("ECDSA signatures")
struct ECDSATests {
    private static let hash = SHA256.hash(Array("Satoshi Nakamoto".utf8))

    private static func half(_ digits: String, _ fill: String = "0") -> [UInt8] {
        hex(String(repeating: fill, count: 64 - digits.count) + digits)
    }

    private static let one = half("1")
    private static let order = Secp256k1UnderTest.order
    /// (n - 1) / 2, the highest s, and the number after it.
    private static let highest = hex("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0")
    private static let tooHigh = hex("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1")

    @Test("a signature by the key 1, with the nonce of RFC 6979, matches the known answer")
    func knownAnswer() throws {
        let key = SecretScalar<Secp256k1>(.one)
        let signature = try ECDSASignature.sign(message: Self.hash, key: key)
        #expect(
            signature.compact
                == hex("934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8")
                + hex("2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"))
        #expect(
            signature.der
                == hex("3045022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8")
                + hex("02202442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"))
        #expect(signature.isValid(message: Self.hash, publicKey: .generator))
    }

    @Test("signatures are valid only for their key and message, recover the key, and survive both encodings")
    func roundTrip() throws {
        let random = SeededRandom(seed: 2026)
        var ids: Set<Int> = []
        for number in 0..<40 {
            let key = SecretScalar<Secp256k1>(from: random)
            let point = key.timesGenerator()
            let message = SHA256.hash([UInt8(number)])
            let signature = try ECDSASignature.sign(message: message, key: key)
            #expect(try ECDSASignature(compact: signature.compact) == signature)
            #expect(try ECDSASignature(der: signature.der) == signature)

            #expect(signature.isValid(message: message, publicKey: point))
            #expect(!signature.isValid(message: Self.hash, publicKey: point))
            #expect(!signature.isValid(message: message, publicKey: point + .generator))
            #expect(!signature.isValid(message: message, publicKey: .identity))
            #expect(!signature.isValid(message: message + [0], publicKey: point))
            #expect(!signature.isValid(message: Array(message.dropLast()), publicKey: point))

            let id = try #require(signature.recoveryID(message: message, publicKey: point))
            #expect(signature.recoveredKey(message: message, recoveryID: id) == point)
            #expect(signature.recoveredKey(message: message, recoveryID: id ^ 1) != point)
            #expect(signature.recoveryID(message: message, publicKey: point + .generator) == nil)
            #expect(signature.recoveryID(message: message, publicKey: .identity) == nil)
            ids.insert(id)
        }
        #expect(ids == [0, 1])
    }

    @Test("of s and -s the low one is chosen, and the result tells whether s was negated, which flips the recovery id")
    func normalised() throws {
        let key = SecretScalar<Secp256k1>(from: SeededRandom(seed: 3))
        let signature = try ECDSASignature.sign(message: Self.hash, key: key)
        let low = try ECDSASignature.normalised(r: signature.r, s: signature.s)
        let high = try ECDSASignature.normalised(r: signature.r, s: -signature.s)
        #expect(low == (signature, false))
        #expect(high == (signature, true))

        // A signer that knows the nonce's point: k = 2, so that s = (z + r·x) / 2, and the lowest bit is that of 2·G or
        // of -2·G.
        let nonce = Secp256k1.Point.generator + .generator
        let r = try Scalar<Secp256k1>(canonical: nonce.xOnly)
        let secret = Scalar<Secp256k1>(77)
        let message = Scalar<Secp256k1>(reducing: Self.hash)
        let s = try Scalar<Secp256k1>(2).inverted() * (message + r * secret)
        let made = try ECDSASignature.normalised(r: r, s: s)
        let isOdd = nonce.hasEvenY == made.isNegated
        #expect(
            made.signature.recoveryID(message: Self.hash, publicKey: SecretScalar(secret).timesGenerator())
                == (isOdd ? 1 : 0))

        #expect(throws: CurvesError.invalidSignature) { try ECDSASignature.normalised(r: .zero, s: .one) }
        #expect(throws: CurvesError.invalidSignature) { try ECDSASignature.normalised(r: .one, s: .zero) }
    }

    @Test("a compact form with a wrong size, zero, a number not below the order or a high s is refused")
    func compact() throws {
        let valid = Self.one + Self.highest
        #expect(try ECDSASignature(compact: valid).compact == valid)
        let zero = Self.half("")
        for bytes in [
            zero + Self.one, Self.one + zero, Self.order + Self.one, Self.one + Self.order,
            Self.half("", "f") + Self.one, Self.one + Self.half("", "f"), Self.one + Self.tooHigh,
        ] {
            #expect(throws: CurvesError.invalidSignature) { try ECDSASignature(compact: bytes) }
        }
        for bytes in [[], Array(valid.dropLast()), valid + [0]] {
            #expect(throws: CurvesError.wrongSize(expected: 64, got: bytes.count)) {
                try ECDSASignature(compact: bytes)
            }
        }
    }

    @Test("any other DER than the one valid form is refused")
    func der() throws {
        #expect(try ECDSASignature(der: hex("3006020101020101")).compact == Self.one + Self.one)
        #expect(try ECDSASignature(der: hex("3007020200ff020101")).compact == Self.half("ff") + Self.one)
        func number(_ bytes: [UInt8]) -> [UInt8] { [2, UInt8(bytes.count)] + bytes }
        func sequence(_ bytes: [UInt8]) -> [UInt8] { [0x30, UInt8(bytes.count)] + bytes }
        #expect(try ECDSASignature(der: sequence(number([1]) + number(Self.highest))).s.encoded == Self.highest)

        for (bytes, why) in [
            (hex("3007020101020101"), "truncated"),
            (hex("300602010102"), "truncated inside"),
            (hex("300602010102010100"), "trailing"),
            (hex("300702010102010100"), "trailing inside"),
            (hex("308106020101020101"), "a long size"),
            (hex("308006020101020101"), "an indefinite size"),
            (hex("300702020001020101"), "r padded"),
            (hex("300702010102020001"), "s padded"),
            (hex("30060201ff020101"), "a negative r"),
            (hex("3006020101020181"), "a negative s"),
            (hex("30050200020101"), "an empty r"),
            (hex("30050201010200"), "an empty s"),
            (hex("3006020100020101"), "r is zero"),
            (hex("3006020101020100"), "s is zero"),
            (hex("3106020101020101"), "a set"),
            (hex("3006030101020101"), "r of another kind"),
            (hex("3006020101030101"), "s of another kind"),
            (hex("3003020101"), "r alone"),
            (hex("3009020101020101020101"), "three numbers"),
            (sequence(number([0] + Self.order) + number([1])), "r is the order"),
            (sequence(number([1]) + number([0] + Self.order)), "s is the order"),
            (sequence(number([1] + Self.one) + number([1])), "r has 33 bytes"),
            (sequence(number([1]) + number(Self.tooHigh)), "s is high"),
            ([], "nothing"),
        ] {
            #expect(throws: CurvesError.invalidSignature, "\(why)") { try ECDSASignature(der: bytes) }
        }
    }

    @Test("mutated DER and compact forms are refused, or encode to the same bytes")
    func fuzz() throws {
        let signature = try ECDSASignature.sign(message: Self.hash, key: SecretScalar(from: SeededRandom(seed: 4)))
        let part = Fuzz.roundTrips(
            of: [signature.der, hex("3006020101020101")], iterations: 10_000, decode: { try ECDSASignature(der: $0) },
            encode: { $0.der })
        #expect(part > 0.05)
        Fuzz.roundTrips(
            of: [signature.compact, Self.one + Self.highest], iterations: 4_000,
            decode: { try ECDSASignature(compact: $0) }, encode: { $0.compact })
    }

    @Test("invalid keys and messages, and recovery ids outside of 0 to 3, are refused")
    func arguments() throws {
        let signature = try ECDSASignature.sign(message: Self.hash, key: SecretScalar(.one))
        for id in [-1, 4, .max] { #expect(signature.recoveredKey(message: Self.hash, recoveryID: id) == nil) }
        #expect(signature.recoveredKey(message: Self.hash + [0], recoveryID: 0) == nil)
        #expect(throws: CurvesError.zero) { try ECDSASignature.sign(message: Self.hash, key: SecretScalar(.zero)) }
        #expect(throws: CurvesError.wrongSize(expected: 32, got: 31)) {
            try ECDSASignature.sign(message: Array(Self.hash.dropLast()), key: SecretScalar(.one))
        }
    }
}

@Suite("ECDSA signatures: Wycheproof")
struct ECDSAVectorTests {
    @Test("every verdict matches the vectors, except that a high s is refused until it is negated")
    func all() throws {
        var (low, high, invalid) = (0, 0, 0)
        for group in try Vectors.json("wycheproof/ecdsa_secp256k1_sha256").array(of: 109) {
            let uncompressed = try group["key"].bytes
            let key = try Secp256k1.Point(encoded: [2 | (uncompressed[64] & 1)] + uncompressed[1...32])
            for test in try group["cases"].array {
                let (bytes, hash) = (try test["sig"].bytes, SHA256.hash(try test["msg"].bytes))
                let signature = try? ECDSASignature(der: bytes)
                let isValid = signature?.isValid(message: hash, publicKey: key) ?? false
                guard try test["is_valid"].bool else {
                    #expect(!isValid, "\(test)")
                    invalid += 1
                    continue
                }
                if isValid {
                    low += 1
                    #expect(signature?.recoveryID(message: hash, publicKey: key) != nil, "\(test)")
                    continue
                }
                // Valid DER of a high s: s is the end of it.
                #expect(signature == nil, "\(test)")
                let number = bytes.dropFirst(4)
                let r = number.prefix(Int(bytes[3])).drop { $0 == 0 }
                let s = number.dropFirst(Int(bytes[3]) + 2).drop { $0 == 0 }
                func scalar(_ bytes: some Collection<UInt8>) throws -> Scalar<Secp256k1> {
                    try Scalar(canonical: [UInt8](repeating: 0, count: 32 - bytes.count) + Array(bytes))
                }
                let made = try ECDSASignature.normalised(r: try scalar(r), s: try scalar(s))
                #expect(made.isNegated)
                #expect(made.signature.isValid(message: hash, publicKey: key), "\(test)")
                high += 1
            }
        }
        #expect(low > 50 && high > 50)
        #expect(low + high == 168 && invalid == 308)
    }
}
