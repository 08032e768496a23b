internal import Files
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import AppleStores

@Suite("Items of an earlier installation in the keychain")
struct InstallationTests {
    private let rig: KeychainRig
    private let token = ItemAttributes.sensitive(.accessToken)

    init() throws { rig = try KeychainRig() }

    /// Removes and installs the app: its files vanish, and the keychain's items do not.
    private func reinstall() throws { try FileManager.default.removeItem(atPath: rig.folder("installation")) }

    @Test("the items are reported, and neither used nor removed: safe-ios#997, phoenix#282, brave-ios#4636")
    func survivors() async throws {
        let (kept, new) = (try name("kept"), try name("new"))
        try await rig.store().save(secret("x"), as: kept, attributes: token)
        try reinstall()
        let store = try rig.store()
        let before = rig.device.items.count
        let earlier = SecureStorageError.backend(.keychain, .earlierInstallation)
        await #expect(throws: earlier) { _ = text(try await store.load(kept)) }
        await #expect(throws: earlier) { _ = try await store.attributes(of: kept) }
        await #expect(throws: earlier) { try await store.save(secret("y"), as: kept, attributes: token) }
        await #expect(throws: earlier) { try await store.delete(kept) }
        #expect(try await store.names(in: nil).isEmpty)
        try await store.deleteAll(in: nil)
        #expect(rig.device.items.count == before)
        try await store.save(secret("z"), as: new, attributes: token)
        #expect(try await store.earlierInstallations().map(\.names) == [[kept]])
    }

    @Test(
        "an explicit call removes them, and only them",
        arguments: [.none, .biometryCurrentSet] as [AccessControlPolicy])
    func removal(_ policy: AccessControlPolicy) async throws {
        let (kept, new) = (try name("kept"), try name("new"))
        try await rig.store(policy: policy).save(secret("x"), as: kept, attributes: token)
        try reinstall()
        let store = try rig.store(policy: policy)
        try await store.save(secret("z"), as: new, attributes: token)
        let earlier = try #require(try await store.earlierInstallations().first)
        try await store.remove(earlier)
        #expect(try await store.earlierInstallations().isEmpty)
        #expect(text(try await store.load(kept)) == nil)
        #expect(text(try await store.load(new)) == "z")
        try await store.save(secret("y"), as: kept, attributes: token)
        #expect(text(try await store.load(kept)) == "y")
    }

    @Test("an explicit call adopts them, also for later processes, and writes nothing to the keychain")
    func adoption() async throws {
        let kept = try name("kept")
        try await rig.store().save(secret("x"), as: kept, attributes: token)
        try reinstall()
        let store = try rig.store()
        let earlier = try #require(try await store.earlierInstallations().first)
        rig.keychain.restart()
        try await store.adopt(earlier)
        #expect(rig.keychain.calls.allSatisfy { !$0.isWrite })
        #expect(text(try await rig.store().load(kept)) == "x")
        #expect(try await store.earlierInstallations().isEmpty)
        // An adopted installation is no longer an earlier one.
        try await store.remove(earlier)
        #expect(text(try await store.load(kept)) == "x")
        try await store.save(secret("y"), as: kept, attributes: token)
        #expect(text(try await store.load(kept)) == "y")
    }

    @Test("an installation whose names are taken cannot be adopted")
    func adoptionOfTaken() async throws {
        let kept = try name("kept")
        try await rig.store().save(secret("old"), as: kept, attributes: token)
        let old = rig.device.items
        try reinstall()
        let store = try rig.store()
        let earlier = try #require(try await store.earlierInstallations().first)
        try await store.remove(earlier)
        try await store.save(secret("new"), as: kept, attributes: token)
        // A restored backup brings the old item back.
        rig.device.change { $0.items.merge(old) { mine, _ in mine } }
        await #expect(throws: SecureStorageError.alreadyExists) { try await store.adopt(earlier) }
        #expect(text(try await store.load(kept)) == "new")
    }

    @Test("an unreadable record is an error, and not a first run")
    func unreadableRecord() async throws {
        let kept = try name("kept")
        try await rig.store().save(secret("x"), as: kept, attributes: token)
        try overwrite(rig.folder("installation"), with: [1, 2, 3])
        await #expect(throws: SecureStorageError.damaged) { _ = text(try await rig.store().load(kept)) }
        let locked = try rig.store(marker: LockedMarker())
        await #expect(throws: SecureStorageError.inputOutput(.open, code: 1)) { _ = text(try await locked.load(kept)) }
        let missing = try rig.store(marker: InstallationFile(at: rig.folder("missing/installation")))
        await #expect(throws: SecureStorageError.notFound) { _ = text(try await missing.load(kept)) }
    }

    @Test("two processes with their first run at the same moment are one installation")
    func simultaneousFirstRun() async throws {
        let marker = SlowMarker(InstallationFile(at: rig.folder("installation")))
        try await rig.store(marker: marker).save(secret("x"), as: try name("a"), attributes: token)
        #expect(try marker.file.read() == Installation(InstallationID(from: SeededRandom(seed: 9))))
        #expect(text(try await rig.store().load(try name("a"))) == "x")
    }

    @Test("the record round-trips, and every truncation and every later version is refused")
    func encoding() throws {
        let ids = (0..<3).map { InstallationID(from: SeededRandom(seed: $0)) }
        let installation = try Installation(ids[0]).adopting(ids[1]).adopting(ids[2])
        let bytes = installation.encoded
        #expect(try Installation(decoding: bytes) == installation)
        for length in bytes.indices { #expect((try? Installation(decoding: bytes[..<length])) == nil) }
        #expect((try? Installation(decoding: bytes + [0])) == nil)
        var later = bytes
        later[8] = 2
        #expect((try? Installation(decoding: later)) == nil)
        #expect(
            (try? Installation(decoding: Installation(ids[0]).encoded.dropLast(16) + ids[1].bytes + ids[1].bytes))
                == nil)
        #expect(throws: SecureStorageError.outsideLimits(.itemCount)) {
            var full = installation
            for seed in 10..<30 { full = try full.adopting(InstallationID(from: SeededRandom(seed: UInt64(seed)))) }
        }
    }
}

/// A record that cannot be read before the first unlock.
private struct LockedMarker: InstallationMarker {
    func read() throws(SecureStorageError) -> Installation? { throw .inputOutput(.open, code: 1) }
    func create(_ installation: Installation) throws(SecureStorageError) { Issue.record("a first run was assumed") }
    func replace(_ installation: Installation) throws(SecureStorageError) { Issue.record("a record was replaced") }
}

/// A record that another process creates just before this one does.
private struct SlowMarker: InstallationMarker {
    let file: InstallationFile
    init(_ file: InstallationFile) { self.file = file }

    func read() throws(SecureStorageError) -> Installation? { try file.read() }

    func create(_ installation: Installation) throws(SecureStorageError) {
        try file.create(Installation(InstallationID(from: SeededRandom(seed: 9))))
        try file.create(installation)
    }

    func replace(_ installation: Installation) throws(SecureStorageError) { try file.replace(installation) }
}
