internal import Secrets
internal import TestSupport
internal import Testing

@Suite("scrypt")
struct ScryptTests {
    private func derive(_ passphrase: String, _ salt: String, n: UInt64, r: UInt32, p: UInt32) throws -> String {
        var bytes = Array(passphrase.utf8)
        let key = try Scrypt.derive(
            count: 64, from: SecretBytes(moving: &bytes), salt: Array(salt.utf8), cost: Scrypt.Cost(n: n, r: r, p: p))
        return hex(key.withUnsafeBytes { Array($0) })
    }

    @Test("RFC 7914, section 12: three of its vectors")
    func known() throws {
        #expect(
            try derive("", "", n: 16, r: 1, p: 1)
                == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906")
        #expect(
            try derive("password", "NaCl", n: 1_024, r: 8, p: 16)
                == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
        #expect(
            try derive("pleaseletmein", "SodiumChloride", n: 16_384, r: 8, p: 1)
                == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887")
    }

    @Test("geth's parameters are accepted, and somewhat higher ones; higher costs and invalid parameters are refused")
    func bounds() throws {
        for (n, r, p) in [
            (1 << 18, 8, 1), (1 << 12, 8, 6), (1 << 18, 1, 8), (1 << 19, 8, 2), (1 << 18, 8, 4), (2, 1, 1),
        ] {
            #expect(try Scrypt.Cost(n: UInt64(n), r: UInt32(r), p: UInt32(p)).n == UInt64(n))
        }
        for (n, r, p) in [
            (0, 8, 1), (1, 8, 1), (3, 8, 1), (1 << 18 + 1, 8, 1), (1 << 18, 0, 1), (1 << 18, 8, 0), (1 << 20, 8, 1),
            (1 << 18, 8, 5), (1 << 63, 8, 1), (1 << 62, 2, 4), (1 << 62, .max, .max), (2, .max, 1), (2, 1, .max),
            (1 << 24, 1, 1),
        ] as [(UInt64, UInt32, UInt32)] {
            #expect(throws: Scrypt.Fault.costOutOfBounds) { try Scrypt.Cost(n: n, r: r, p: p) }
        }
    }
}
