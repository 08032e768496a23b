internal import SecretStoreTestSupport
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import Keyrings

/// KeePassXC itself, which asks before it creates or deletes an item.
///
/// Calls at the same time are not tested: version 2.7.4 ended once in five runs of `StoreSuite.checkConcurrent`.
@Suite(
    "Secret Service: KeePassXC", .serialized,
    .enabled(if: Peer.keePassXC.isExpected, "\(Peer.keePassXC.absence)"))
struct KeePassXCTests {
    @Test("it stores, replaces, lists and removes items")
    func working() async throws { try await StoreSuite.checkWorking(try await KeePassXCRig()) }

    @Test("it is gone: a typed error, and no item is lost")
    func gone() async throws { #expect(try await StoreSuite.check(.serviceMissing, on: try await KeePassXCRig())) }

    @Test("where no question is allowed, it counts as locked")
    func noQuestion() async throws {
        let rig = try await KeePassXCRig()
        await #expect(throws: SecureStorageError.service(.locked)) {
            try await rig.desktop.store(prompting: .never).save(
                secret("x"), as: try name("a"), attributes: .sensitive(.accessToken))
        }
    }
}
