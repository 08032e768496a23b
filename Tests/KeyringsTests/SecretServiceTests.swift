internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import Keyrings

/// The items of GNOME Keyring, and what the store does with entries that other programs wrote.
@Suite(
    "Secret Service: items", .enabled(if: Peer.secretService.isExpected, "\(Peer.secretService.absence)"))
struct SecretServiceTests {
    private let item = ItemAttributes.sensitive(.accessToken)

    @Test("items of every size up to the limit are loaded byte for byte")
    func sizes() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        defer { withExtendedLifetime(desktop) {} }
        let store = desktop.store()
        for size in [1, 2, 3, 31, 4096, Limits.serviceItemSize] {
            let secret = SecretBytes(count: size, from: SeededRandom(seed: UInt64(size)))
            try await store.save(secret, as: try name("size"), attributes: item)
            let loaded = try await store.load(try name("size"))
            let isSame = loaded?.matches(secret) ?? false
            #expect(isSame, "\(size)")
        }
        await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
            let secret = SecretBytes(count: Limits.serviceItemSize + 1) { _ in }
            try await store.save(secret, as: try name("size"), attributes: item)
        }
    }

    @Test("critical items and both levels of first unlock are honoured, others are refused")
    func levels() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        defer { withExtendedLifetime(desktop) {} }
        let store = desktop.store()
        try await store.save(secret("seed"), as: try name("a"), attributes: .critical(.seed))
        #expect(try await store.attributes(of: try name("a")) == .critical(.seed))
        for level in Accessibility.allCases {
            let attributes = try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: level)
            do {
                try await store.save(secret("x"), as: try name("b"), attributes: attributes)
                #expect([.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly].contains(level))
                #expect(try await store.attributes(of: try name("b")) == attributes)
            } catch {
                #expect(error == .notHonoured(level))
                #expect(![.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly].contains(level))
            }
        }
    }

    @Test("an independent program decodes an item from the documented format, and its attributes are names only")
    func interoperation() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        try await desktop.store().save(secret("the secret"), as: try name("an-account"), attributes: .critical(.seed))
        let lines = try desktop.client("read", "test", "an-account")
        let decoded = try JSONDecoder().decode(Decoded.self, from: Data(lines[0].utf8))
        #expect(
            decoded
                == Decoded(
                    kind: 2, class: 1, accessibility: 4, service: "test", account: "an-account", secret: "the secret"))
        let attributes = try desktop.client("attributes", "test", "an-account")
        #expect(
            attributes == [#"{"fueki-account": "an-account", "fueki-service": "test", "xdg:schema": "fueki.Item"}"#])
    }

    private struct Decoded: Decodable, Equatable {
        var kind, `class`, accessibility: Int
        var service, account, secret: String
    }

    @Test("items are there after the service was restarted, and a locked collection hides nothing as absent")
    func restart() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let store = desktop.store()
        try await store.save(secret("kept"), as: try name("a"), attributes: item)
        try desktop.client("lock")
        for absent in ["a", "never-saved"] {
            await #expect(throws: SecureStorageError.service(.locked)) {
                _ = text(try await store.load(try name(absent)))
            }
            await #expect(throws: SecureStorageError.service(.locked)) { try await store.delete(try name(absent)) }
        }
        await #expect(throws: SecureStorageError.service(.locked)) { try await store.names(in: nil) }
        #expect(await store.unavailability() == .locked)
        try await desktop.killService()
        try await desktop.startService()
        // The same store, with its old session.
        #expect(text(try await store.load(try name("a"))) == "kept")
        #expect(await store.unavailability() == nil)
    }

    @Test(
        "a locked GNOME Keyring without a program that shows its prompt: the call ends with an error before the limit")
    func noPrompter() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        try await desktop.store().save(secret("kept"), as: try name("a"), attributes: item)
        try desktop.client("lock")
        let store = desktop.store(prompting: .allowed(limit: .seconds(Patience.seconds)))
        await #expect(throws: SecureStorageError.service(.cancelled)) { _ = text(try await store.load(try name("a"))) }
    }

    @Test("two stores, as two processes, replace each other's items and never make a second one")
    func twoStores() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let stores = [desktop.store(), desktop.store()]
        let shared = try name("shared")
        let errors = await withTaskGroup(of: [SecureStorageError].self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    var errors: [SecureStorageError] = []
                    for round in 0..<10 {
                        do throws(SecureStorageError) {
                            try await store.save(secret("\(number)-\(round)"), as: shared, attributes: item)
                        } catch { errors.append(error) }
                    }
                    return errors
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        // A save whose item was replaced before its check is repeated, and may give up: it is not acknowledged.
        #expect(errors.allSatisfy { $0 == .service(.malformedAnswer) })
        #expect(try await stores[0].copies(of: shared).count == 1)
        let last = text(try await stores[1].load(shared))
        #expect(last?.contains("-") == true)
    }

    // MARK: Entries of other programs

    @Test("bytes of another program under a name are not trusted, not replaced, and not removed silently")
    func foreign() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let store = desktop.store()
        try desktop.client("add", "test", "a", "hunter2")
        let name = try name("a")
        await #expect(throws: SecureStorageError.wrongKind) { _ = text(try await store.load(name)) }
        await #expect(throws: SecureStorageError.wrongKind) { try await store.attributes(of: name) }
        await #expect(throws: SecureStorageError.wrongKind) { try await store.delete(name) }
        await #expect(throws: SecureStorageError.wrongKind) {
            try await store.save(secret("ours"), as: name, attributes: item)
        }
        #expect(try desktop.client("get", "test", "a") == ["hunter2"])
        // The user decides.
        let copies = try await store.copies(of: name)
        #expect(copies.map(\.content) == [.unreadable(.wrongKind)])
        for copy in copies { #expect(try await store.discard(copy, of: name)) }
        try await store.save(secret("ours"), as: name, attributes: item)
        #expect(text(try await store.load(name)) == "ours")
    }

    @Test("an item that another program put under another name is refused")
    func swapped() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let store = desktop.store()
        try desktop.client("add", "test", "a", envelopeText("of b", as: try name("b"), item))
        await #expect(throws: SecureStorageError.backend(.secretService, .damagedItem)) {
            _ = text(try await store.load(try name("a")))
        }
        await #expect(throws: SecureStorageError.backend(.secretService, .damagedItem)) {
            try await store.delete(try name("a"))
        }
    }

    @Test("keyring-rs#201: duplicates that differ are an error of their own, and can be compared and repaired")
    func duplicates() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let store = desktop.store()
        let name = try name("a")
        try await store.save(secret("first"), as: name, attributes: item)
        try desktop.client("add", "test", "a", envelopeText("second", as: name, .critical(.seed)))
        for _ in 0..<2 {
            await #expect(throws: SecureStorageError.service(.ambiguous)) { _ = text(try await store.load(name)) }
            await #expect(throws: SecureStorageError.service(.ambiguous)) { try await store.delete(name) }
            await #expect(throws: SecureStorageError.service(.ambiguous)) {
                try await store.save(secret("third"), as: name, attributes: item)
            }
        }
        let copies = try await store.copies(of: name)
        #expect(copies.count == 2)
        #expect(copies.contains { $0.content == .item(.critical(.seed)) })
        var contents: Set<String> = []
        for copy in copies {
            let content = text(try await store.load(copy, of: name))
            contents.insert(content ?? "")
            if content == "second" { #expect(try await store.discard(copy, of: name)) }
        }
        #expect(contents == ["first", "second"])
        #expect(text(try await store.load(name)) == "first")
        #expect(try await store.names(in: nil) == [name])
    }

    @Test("an item in the collection of the session is not the item, and is not what a save replaces")
    func sessionItem() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let store = desktop.store()
        let name = try name("a")
        try desktop.client("add-to-session", "test", "a", envelopeText("passing", as: name, item))
        #expect(text(try await store.load(name)) == nil)
        #expect(try await store.names(in: nil).isEmpty)
        #expect(try await store.delete(name) == false)
        try await store.save(secret("lasting"), as: name, attributes: item)
        try await desktop.killService()
        try await desktop.startService()
        #expect(text(try await store.load(name)) == "lasting")
    }

    @Test("a copy of one name cannot be discarded or loaded under another")
    func copyOfAnotherName() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        defer { withExtendedLifetime(desktop) {} }
        let store = desktop.store()
        for account in ["a", "b"] { try await store.save(secret(account), as: try name(account), attributes: item) }
        let copy = try #require(try await store.copies(of: try name("a")).first)
        #expect(try await !store.discard(copy, of: try name("b")))
        #expect(text(try await store.load(copy, of: try name("b"))) == nil)
        #expect(text(try await store.load(try name("a"))) == "a")
        #expect(try await store.discard(copy, of: try name("a")))
        #expect(try await !store.discard(copy, of: try name("a")))
    }

    @Test("duplicates that are the same count as one item, and the next save leaves one of them")
    func equalDuplicates() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let store = desktop.store()
        let name = try name("a")
        for _ in 0..<3 { try desktop.client("add", "test", "a", envelopeText("same", as: name, item)) }
        #expect(text(try await store.load(name)) == "same")
        try await store.save(secret("new"), as: name, attributes: item)
        #expect(try await store.copies(of: name).count == 1)
        #expect(text(try await store.load(name)) == "new")
        for _ in 0..<2 { try desktop.client("add", "test", "a", envelopeText("new", as: name, item)) }
        #expect(try await store.delete(name))
        #expect(text(try await store.load(name)) == nil)
    }

    @Test("more copies than can be compared are ambiguous")
    func manyCopies() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let name = try name("a")
        for _ in 0...Limits.copies { try desktop.client("add", "test", "a", envelopeText("same", as: name, item)) }
        let store = desktop.store()
        await #expect(throws: SecureStorageError.service(.ambiguous)) { _ = text(try await store.load(name)) }
        await #expect(throws: SecureStorageError.outsideLimits(.itemCount)) { try await store.copies(of: name) }
    }
}
