internal import Encoding
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import TPM

@Suite struct FormatTests {
    private static let name = SeededRandom(seed: 1).publicBytes(count: 34)
    private static let policy = SeededRandom(seed: 2).publicBytes(count: 32)
    private static let unique = SeededRandom(seed: 3).publicBytes(count: 32)
    private static let part = SeededRandom(seed: 4).publicBytes(count: 160)

    private static func sealed(_ registers: PCRSelection?, _ area: [UInt8]) -> [UInt8] {
        SealedObject(rootName: name, registers: registers, publicArea: area, privatePart: part).encoded
    }

    private static func key(hasPIN: Bool, _ area: [UInt8]) throws -> [UInt8] {
        try KeyFile(hasPIN: hasPIN, salt: unique, rootName: name, publicArea: area, privatePart: part).encoded
    }

    @Test func `A sealed secret has pinned bytes`() throws {
        let bytes = Self.sealed(try PCRSelection([7, 0]), PublicArea.sealed(policy: Self.policy, unique: Self.unique))
        let expected =
            hex("01 81 00 00") + Self.name + hex("0050 004e 0008 000b 00000012 0020") + Self.policy + hex("0010 0020")
            + Self.unique + hex("00a0") + Self.part
        #expect(bytes == expected)
        let plain = Self.sealed(nil, PublicArea.sealed(policy: [], unique: Self.unique))
        let expectedPlain =
            hex("01 00 00 00") + Self.name + hex("0030 002e 0008 000b 00000052 0000 0010 0020") + Self.unique
            + hex("00a0") + Self.part
        #expect(plain == expectedPlain)
    }

    @Test func `A key file has pinned bytes`() throws {
        let area = PublicArea.signing(countsWrongPINs: true, x: Self.policy, y: Self.unique)
        let bytes = try Self.key(hasPIN: true, area)
        var expected = [UInt8]("FuekiTPMKey".utf8) + [1, 1] + Self.unique + Self.name
        expected += hex("007a 0078 0023 000b 000400f2 0020") + Policy.certifying
        expected += hex("0010 0018 000b 0003 0010 0020") + Self.policy + hex("0020") + Self.unique
        expected += hex("00a0") + Self.part
        #expect(bytes == expected)
    }

    /// Computed with Python's hashlib: SHA-256 of 32 zeros, `TPM_CC_PolicyCommandCode` and `TPM_CC_Certify`.
    @Test func `The policy of keys permits one command`() {
        #expect(hex(Policy.certifying) == "048e9a3ace08583f79f344ff785bbea9f07ac7fa3325b3d49a21dd5194c65850")
    }

    @Test func `Mutated bytes are refused, or are what would be written`() throws {
        let sealed = [
            Self.sealed(nil, PublicArea.sealed(policy: [], unique: Self.unique)),
            Self.sealed(try PCRSelection([7]), PublicArea.sealed(policy: Self.policy, unique: Self.unique)),
        ]
        Fuzz.mutations(of: sealed) { input in
            guard let object = try? SealedObject(decoding: input) else { return }
            #expect(object.encoded == input)
        }
        let keys = try [true, false].map {
            try Self.key(hasPIN: $0, PublicArea.signing(countsWrongPINs: $0, x: Self.policy, y: Self.unique))
        }
        Fuzz.mutations(of: keys) { input in
            guard let file = try? KeyFile(decoding: input) else { return }
            #expect(file.encoded == input)
        }
    }

    @Test func `A sealed secret without its policy, or with attributes of others, is refused`() throws {
        let registers = try PCRSelection([7])
        #expect(throws: EncodingError.self) {
            // Registers without a policy: the TPM would not look at them.
            try SealedObject(decoding: Self.sealed(registers, PublicArea.sealed(policy: [], unique: Self.unique)))
        }
        #expect(throws: EncodingError.self) {
            try SealedObject(decoding: Self.sealed(nil, PublicArea.sealed(policy: Self.policy, unique: Self.unique)))
        }
        for bit in 0..<32 {
            var area = PublicArea.sealed(policy: [], unique: Self.unique)
            // The attributes: bytes 6 to 9.
            area[9 - bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: EncodingError.self, "bit \(bit)") { try SealedObject(decoding: Self.sealed(nil, area)) }
        }
    }

    @Test func `A key without counted PINs is not taken for one with them`() throws {
        for hasPIN in [true, false] {
            let area = PublicArea.signing(countsWrongPINs: !hasPIN, x: Self.policy, y: Self.unique)
            #expect(throws: EncodingError.self) { try Self.key(hasPIN: hasPIN, area) }
        }
    }

    @Test func `Another version is refused`() throws {
        var bytes = Self.sealed(nil, PublicArea.sealed(policy: [], unique: Self.unique))
        bytes[0] = 2
        #expect(throws: EncodingError.unsupported) { try SealedObject(decoding: bytes) }
    }
}
