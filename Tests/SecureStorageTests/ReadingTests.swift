internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// `scripts/bench` (`vault_read`) measures the time of a read; this test shows why it is short.
@Suite("Reading from an open vault")
struct ReadingTests {
    @Test("an item of an open vault is read without its file and without stretching the passphrase again")
    func read() async throws {
        let derivations = Mutex(0)
        let stretcher = Stretcher { passphrase, stretching, salt throws(SecureStorageError) in
            derivations.withLock { $0 += 1 }
            return try Stretcher.cheapForTesting.derive(passphrase, stretching, salt)
        }
        let folder = try SharedFolder()
        let vault = try VaultFile.create(
            at: folder("vault"), passphrase: secret("correct horse"), freshness: .unchecked, random: SystemRandom(),
            stretcher: stretcher)
        try await vault.save(secret("a share"), as: try name("share"), attributes: .critical(.keyShare))
        let before = derivations.withLock { $0 }
        #expect(before > 0, "the control: opening stretches")
        try FileManager.default.removeItem(atPath: folder("vault"))
        for _ in 0..<500 { #expect(text(try await vault.load(try name("share"))) == "a share") }
        #expect(derivations.withLock { $0 } == before)
    }
}
