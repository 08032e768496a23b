internal import Secrets
internal import Testing

@Suite("Argon2id")
struct Argon2idTests {
    private func derive(
        _ passphrase: String, salt: [UInt8], memoryKiB: UInt32, passes: UInt32, count: Int
    ) throws -> String {
        var bytes = [UInt8](passphrase.utf8)
        let key = try Argon2id.derive(
            count: count, from: SecretBytes(moving: &bytes), salt: salt, memoryKiB: memoryKiB, passes: passes)
        return key.withUnsafeBytes { key in
            key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }

    @Test("the results match the reference implementation (phc-winner-argon2, through argon2-cffi)")
    func knownAnswers() throws {
        #expect(
            try derive("password", salt: [UInt8](0..<16), memoryKiB: 64, passes: 1, count: 32)
                == "9c493022877348e034719bce110c99301e5d4d16acacc6a829000ff2044b1b0c")
        #expect(
            try derive(
                "correct horse", salt: [UInt8](repeating: 0xff, count: 16), memoryKiB: 19456, passes: 2, count: 32)
                == "c9cbd4e123c8c7db92dce51cf50dafba226ce4a886fd339508f0f88601e1ce1d")
        #expect(
            try derive("", salt: [UInt8](repeating: 0, count: 16), memoryKiB: 65536, passes: 3, count: 64)
                == "6f8aa99a207ab9b73242d358c0887e4a3e3698042e7093f48dab8ff9d6134b03"
                + "9bbe094356af4e563f75ddaf6f98e0e3491692ef7aef5b17812970bd0dd79356")
    }
}
