internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import Keyrings

/// What the store does with a service that misbehaves: a double in Python.
@Suite(
    "Secret Service: a service that misbehaves",
    .enabled(if: Peer.secretService.isExpected, "\(Peer.secretService.absence)"))
struct SecretServiceFaultTests {
    private let item = ItemAttributes.sensitive(.accessToken)

    /// Expects one fault of loading, saving, deleting and listing.
    private func expect(_ fault: BackendFault, of store: SecretServiceStore) async throws {
        let error = SecureStorageError.service(fault)
        await #expect(throws: error) { _ = text(try await store.load(try name("a"))) }
        await #expect(throws: error) { try await store.save(secret("x"), as: try name("a"), attributes: item) }
        await #expect(throws: error) { try await store.delete(try name("a")) }
        await #expect(throws: error) { try await store.names(in: nil) }
    }

    @Test("gcx#964: a service that never replies ends every call at the limit, and works again once it replies")
    func neverReplies() async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store(limit: .milliseconds(500))
        // A busy machine may need more than this limit for a save.
        try await desktop.store().save(secret("kept"), as: try name("a"), attributes: item)
        try desktop.behave("silent")
        try await expect(.timedOut, of: store)
        #expect(await store.unavailability() == .timedOut)
        try await desktop.killService()
        try await desktop.startService()
        try await Patience.wait(for: "the store to work again") {
            (try? text(await store.load(try name("a")))) == "kept"
        }
    }

    @Test("databricks/cli#5210: after a time-out the secret is nowhere else, and the error stays a time-out")
    func noDowngrade() async throws {
        let desktop = try await Desktop(.double("silent"))
        let before = try files(in: desktop.path)
        let store = desktop.store(limit: .milliseconds(300))
        let token = UUID().uuidString
        for _ in 0..<3 {
            await #expect(throws: SecureStorageError.service(.timedOut)) {
                try await store.save(secret(token), as: try name("a"), attributes: item)
            }
        }
        let after = try files(in: desktop.path)
        #expect(Set(after.keys) == Set(before.keys))
        #expect(!after.values.contains { $0.range(of: Data(token.utf8)) != nil })
    }

    private func files(in folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        let paths = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder) else { continue }
            files[path] = FileManager.default.contents(atPath: "\(folder)/\(path)") ?? Data()
        }
        return files
    }

    @Test("a locked collection is an error at once where prompts are not allowed, and no prompt is opened")
    func neverPrompts() async throws {
        let desktop = try await Desktop(.double("locked-silent"))
        let store = desktop.store(prompting: .never)
        try await expect(.locked, of: store)
        #expect(await store.unavailability() == .locked)
        #expect(desktop.service?.output.contains("prompted") == false)
        #expect(desktop.service?.output.contains("unlock") == false)
    }

    @Test("the doctor's question opens no prompt, also where prompts are allowed")
    func doctorNeverPrompts() async throws {
        let desktop = try await Desktop(.double("locked-silent"))
        let store = desktop.store(prompting: .allowed(limit: .seconds(Patience.seconds)))
        #expect(await store.unavailability() == .locked)
        #expect(desktop.service?.output.contains("unlock") == false)
    }

    @Test("a prompt that is never answered ends at its limit, and is closed")
    func promptForEver() async throws {
        let desktop = try await Desktop(.double("locked-silent"))
        let store = desktop.store(prompting: .allowed(limit: .milliseconds(300)))
        await #expect(throws: SecureStorageError.service(.timedOut)) { _ = text(try await store.load(try name("a"))) }
        _ = try await desktop.service?.line(with: "dismissed")
    }

    @Test("a prompt that the user closes cancels the call")
    func promptClosed() async throws {
        let desktop = try await Desktop(.double("locked-dismisses"))
        let store = desktop.store(prompting: .allowed(limit: .seconds(Patience.seconds)))
        try await expect(.cancelled, of: store)
    }

    @Test("a prompt may take longer than a call, and the call goes on after it")
    func promptAnswered() async throws {
        let desktop = try await Desktop(.double("locked-opens"))
        let store = desktop.store(prompting: .allowed(limit: .seconds(Patience.seconds)), limit: .seconds(2))
        try await store.save(secret("x"), as: try name("a"), attributes: item)
        #expect(text(try await store.load(try name("a"))) == "x")
    }

    @Test(
        "other ends of a prompt are typed errors",
        arguments: [
            ("locked-lies", BackendFault.locked), ("locked-garbage", .malformedAnswer),
            ("locked-dies", .unavailable(.noService)), ("locked-dies-later", .unavailable(.noService)),
        ])
    func promptEnds(_ behaviour: String, _ fault: BackendFault) async throws {
        let desktop = try await Desktop(.double(behaviour))
        let store = desktop.store(prompting: .allowed(limit: .seconds(Patience.seconds)))
        await #expect(throws: SecureStorageError.service(fault)) { _ = text(try await store.load(try name("a"))) }
    }

    @Test("keyring-rs#133: without a default collection the error says so, and what to do")
    func noDefaultCollection() async throws {
        let desktop = try await Desktop(.double("no-default"))
        defer { withExtendedLifetime(desktop) {} }
        let store = desktop.store()
        try await expect(.unavailable(.noDefaultCollection), of: store)
        let error = SecureStorageError.service(.unavailable(.noDefaultCollection))
        #expect("\(error)".contains("default keyring"))
    }

    @Test("a default collection that is forgotten at the end of the session is refused")
    func sessionCollection() async throws {
        let desktop = try await Desktop(.double("session-default"))
        defer { withExtendedLifetime(desktop) {} }
        let store = desktop.store()
        try await expect(.sessionOnly, of: store)
    }

    @Test("a service that offers no encryption on the bus is refused")
    func plainSession() async throws {
        let desktop = try await Desktop(.double("plain-only"))
        defer { withExtendedLifetime(desktop) {} }
        let store = desktop.store()
        try await expect(.unsupported, of: store)
    }

    @Test(
        "a reply of another type is refused",
        arguments: ["garbage-type", "garbage-property", "many"])
    func malformed(_ behaviour: String) async throws {
        let desktop = try await Desktop(.double(behaviour))
        defer { withExtendedLifetime(desktop) {} }
        let store = desktop.store()
        try await expect(.malformedAnswer, of: store)
    }

    @Test(
        "a secret that does not belong to the session, or is too large, is refused",
        arguments: [
            ("garbage-secret", SecureStorageError.service(.malformedAnswer)),
            ("other-session", .service(.malformedAnswer)), ("huge", .service(.malformedAnswer)),
            ("no-object", .service(.malformedAnswer)), ("no-session", .service(.unavailable(.noService))),
            ("foreign-text", .wrongKind),
        ])
    func malformedSecret(_ behaviour: String, _ error: SecureStorageError) async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store()
        try await store.save(secret("kept"), as: try name("a"), attributes: item)
        try desktop.behave(behaviour)
        await #expect(throws: error) { _ = text(try await store.load(try name("a"))) }
        await #expect(throws: error) { try await store.attributes(of: try name("a")) }
        await #expect(throws: error) { try await store.delete(try name("a")) }
        try desktop.behave("normal")
        #expect(text(try await store.load(try name("a"))) == "kept")
    }

    @Test("a service that forgets writes: nothing is acknowledged that cannot be read back")
    func forgets() async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store()
        try await store.save(secret("old"), as: try name("a"), attributes: item)
        try desktop.behave("forgets")
        for account in ["a", "b"] {
            await #expect(throws: SecureStorageError.service(.malformedAnswer)) {
                try await store.save(secret("new"), as: try name(account), attributes: item)
            }
        }
        await #expect(throws: SecureStorageError.service(.malformedAnswer)) { try await store.delete(try name("a")) }
        let copy = try #require(try await store.copies(of: try name("a")).first)
        await #expect(throws: SecureStorageError.service(.malformedAnswer)) {
            try await store.discard(copy, of: try name("a"))
        }
        #expect(text(try await store.load(try name("a"))) == "old")
    }

    @Test("a copy in another collection that is locked: absence is not claimed")
    func lockedElsewhere() async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store()
        try await store.save(secret("x"), as: try name("a"), attributes: item)
        try desktop.behave("elsewhere-locked")
        await #expect(throws: SecureStorageError.service(.locked)) { _ = text(try await store.load(try name("a"))) }
        await #expect(throws: SecureStorageError.service(.locked)) { try await store.names(in: nil) }
    }

    @Test(
        "where no question is allowed, a service that asks before it creates or deletes counts as locked, and asks nothing"
    )
    func promptsForWrites() async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store()
        try await store.save(secret("x"), as: try name("a"), attributes: item)
        try desktop.behave("create-prompts")
        await #expect(throws: SecureStorageError.service(.locked)) {
            try await store.save(secret("x"), as: try name("b"), attributes: item)
        }
        try desktop.behave("delete-prompts")
        await #expect(throws: SecureStorageError.service(.locked)) { try await store.delete(try name("a")) }
        #expect(desktop.service?.output.contains("prompted") == false)
    }

    @Test("a service that asks before it creates or deletes an item does so, and the user's answer decides")
    func asksForChanges() async throws {
        let desktop = try await Desktop(.double("asks"))
        let store = desktop.store(prompting: .changes(limit: .seconds(Patience.seconds)))
        try await store.save(secret("x"), as: try name("a"), attributes: item)
        #expect(text(try await store.load(try name("a"))) == "x")
        try desktop.behave("asks-in-vain")
        await #expect(throws: SecureStorageError.service(.cancelled)) {
            try await store.save(secret("x"), as: try name("b"), attributes: item)
        }
        await #expect(throws: SecureStorageError.service(.cancelled)) { try await store.delete(try name("a")) }
        #expect(try await store.names(in: nil) == [try name("a")])
        try desktop.behave("asks")
        try await store.delete(try name("a"))
        #expect(try await store.names(in: nil).isEmpty)
    }

    @Test(
        "a question about an item that is never answered ends at its limit, and is closed; a locked collection asks nothing"
    )
    func unansweredChange() async throws {
        let desktop = try await Desktop(.double("create-prompts"))
        let store = desktop.store(prompting: .changes(limit: .milliseconds(300)))
        await #expect(throws: SecureStorageError.service(.timedOut)) {
            try await store.save(secret("x"), as: try name("a"), attributes: item)
        }
        _ = try await desktop.service?.line(with: "dismissed")
        try desktop.behave("locked-silent")
        await #expect(throws: SecureStorageError.service(.locked)) {
            try await store.save(secret("x"), as: try name("a"), attributes: item)
        }
        #expect(desktop.service?.output.components(separatedBy: "prompted").count == 2)
    }

    @Test("the end of the bus is an error, and the process goes on")
    func busEnds() async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store()
        try await store.save(secret("x"), as: try name("a"), attributes: item)
        try await desktop.killBus()
        try await expect(.unavailable(.noSessionBus), of: store)
    }

    @Test("a service that dies during a call is an error; the next one answers")
    func dies() async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store()
        try await store.save(secret("kept"), as: try name("a"), attributes: item)
        try desktop.behave("dies")
        await #expect(throws: SecureStorageError.service(.unavailable(.noService))) {
            _ = text(try await store.load(try name("a")))
        }
        try await desktop.killService()
        try await desktop.startService()
        #expect(text(try await store.load(try name("a"))) == "kept")
    }

    @Test("a service that dies while a session is opened is an error")
    func diesAtOpening() async throws {
        let desktop = try await Desktop(.double("open-dies"))
        await #expect(throws: SecureStorageError.service(.unavailable(.noService))) {
            _ = text(try await desktop.store().load(try name("a")))
        }
    }

    @Test("a service that the bus can start is started at the first call")
    func activation() async throws {
        let desktop = try await Desktop(.activated("DOUBLE"))
        let store = desktop.store()
        try await store.save(secret("x"), as: try name("a"), attributes: item)
        #expect(text(try await store.load(try name("a"))) == "x")
        withExtendedLifetime(desktop) {}
    }

    @Test("a service that the bus cannot start is an error, and one that does not begin ends at the limit")
    func failedActivation() async throws {
        let failing = try await Desktop(.activated("/bin/false"))
        try await expect(.unavailable(.noService), of: failing.store())
        let missing = try await Desktop(.activated("/nonexistent/keyring"))
        try await expect(.unavailable(.noService), of: missing.store())
        // It ends by itself, because the bus does not end it.
        let slow = try await Desktop(.activated("/bin/sleep 20"))
        #expect(await slow.store(limit: .milliseconds(300)).unavailability() == .timedOut)
        withExtendedLifetime((failing, missing, slow)) {}
    }

    @Test("a collection with as many items as can be listed takes no further one, and existing ones are replaced")
    func crowded() async throws {
        let desktop = try await Desktop(.double("normal"))
        let store = desktop.store()
        try await store.save(secret("old"), as: try name("a"), attributes: item)
        try desktop.behave("crowded")
        await #expect(throws: SecureStorageError.outsideLimits(.itemCount)) {
            try await store.save(secret("x"), as: try name("b"), attributes: item)
        }
        try await store.save(secret("new"), as: try name("a"), attributes: item)
        #expect(text(try await store.load(try name("a"))) == "new")
    }
}
