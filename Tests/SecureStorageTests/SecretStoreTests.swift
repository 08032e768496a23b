internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// The stores that the suite below covers.
enum Backend: CaseIterable, CustomTestStringConvertible {
    case inMemory, vaultFile

    var testDescription: String {
        switch self {
        case .inMemory: "in memory"
        case .vaultFile: "vault file"
        }
    }

    func store(in folder: SharedFolder) throws -> any SecretStore {
        switch self {
        case .inMemory: InMemoryStore(forTestingHonouring: [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly])
        case .vaultFile: try VaultFile.createCheaply(at: folder("vault"))
        }
    }
}

@Suite("Common properties of all stores")
struct SecretStoreTests {
    let folder: SharedFolder

    init() throws { folder = try SharedFolder() }

    @Test("a saved secret is loaded, byte for byte", arguments: Backend.allCases)
    func roundTrip(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        for size in [1, 2, 31, 32, 33, 1000, 1 << 20] {
            let secret = SecretBytes(count: size, from: SeededRandom(seed: UInt64(size)))
            try await store.save(secret, as: try name("size-\(size)"), attributes: .critical(.other))
            guard let loaded = try await store.load(try name("size-\(size)")) else {
                Issue.record("nothing of size \(size)")
                return
            }
            let same = loaded.matches(secret)
            #expect(same)
        }
    }

    @Test("an absent item is nil, and deleting it is not an error", arguments: Backend.allCases)
    func absent(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        #expect(text(try await store.load(try name("nobody"))) == nil)
        #expect(try await store.attributes(of: try name("nobody")) == nil)
        #expect(try await store.delete(try name("nobody")) == false)
        #expect(try await store.names(in: nil).isEmpty)
    }

    @Test("saving again replaces the secret and its attributes", arguments: Backend.allCases)
    func replaces(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        try await store.save(secret("old"), as: try name("a"), attributes: .critical(.seed))
        try await store.save(secret("new"), as: try name("a"), attributes: .sensitive(.accessToken))
        #expect(text(try await store.load(try name("a"))) == "new")
        #expect(try await store.attributes(of: try name("a")) == .sensitive(.accessToken))
        #expect(try await store.names(in: nil) == [try name("a")])
    }

    @Test("services do not see each other's items", arguments: Backend.allCases)
    func namespaces(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        // The two names have the same characters, split differently.
        let first = try ItemName(service: "ab", account: "c")
        let second = try ItemName(service: "a", account: "bc")
        try await store.save(secret("first"), as: first, attributes: .critical(.other))
        try await store.save(secret("second"), as: second, attributes: .critical(.other))
        #expect(text(try await store.load(first)) == "first")
        #expect(text(try await store.load(second)) == "second")
        #expect(try await store.names(in: "a") == [second])
        #expect(try await store.names(in: nil) == [second, first])
        #expect(try await store.delete(first))
        #expect(text(try await store.load(second)) == "second")
    }

    @Test("a protection level that the store lacks is refused, and nothing is stored", arguments: Backend.allCases)
    func honours(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        for level in [Accessibility.whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly] {
            let attributes = try ItemAttributes(kind: .other, dataClass: .sensitive, accessibility: level)
            await #expect(throws: SecureStorageError.notHonoured(level)) {
                try await store.save(secret("x"), as: try name("a"), attributes: attributes)
            }
        }
        #expect(try await store.names(in: nil).isEmpty)
    }

    @Test("an empty secret and one that is too large are refused", arguments: Backend.allCases)
    func sizes(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        for size in [0, (1 << 20) + 1] {
            await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
                let secret = SecretBytes(count: size) { _ in }
                try await store.save(secret, as: try name("a"), attributes: .critical(.other))
            }
        }
    }

    @Test("concurrent saves, loads and deletes lose nothing", arguments: Backend.allCases)
    func concurrent(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let mine = try name("\(number)")
                    try await store.save(secret("\(number)"), as: mine, attributes: .critical(.other))
                    #expect(text(try await store.load(mine)) == "\(number)")
                    if number.isMultiple(of: 3) { #expect(try await store.delete(mine)) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.names(in: "test").count == 16)
    }

    @Test("a new store has no items of an earlier one", arguments: Backend.allCases)
    func nothingStale(_ backend: Backend) async throws {
        let other = try SharedFolder()
        try await backend.store(in: other).save(secret("x"), as: try name("a"), attributes: .critical(.other))
        #expect(try await backend.store(in: folder).names(in: nil).isEmpty)
    }

    @Test("mnemonic, seed, token and token list are separate and load unchanged", arguments: Backend.allCases)
    func typedItems(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        let words = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
        try await store.save(secret(words), as: .mnemonic(wallet: "main"))
        try await store.save(SecretBytes(count: 64, from: SeededRandom(seed: 1)), as: .seed(wallet: "main"))
        try await store.save(secret("token"), as: .accessToken(issuer: "https://mint.example/a"))
        let tokens = try TokenList().appending(secret("one")).appending(secret("two"))
        try await store.save(tokens, issuer: "https://mint.example/a")

        #expect(text(try await store.load(.mnemonic(wallet: "main"))) == words)
        let hasSeed = try await store.load(.seed(wallet: "main"))?.count
        #expect(hasSeed == 64)
        #expect(text(try await store.load(.accessToken(issuer: "https://mint.example/a"))) == "token")
        #expect(text(try await store.load(.accessToken(issuer: "https://mint.example/b"))) == nil)
        let loaded = try await store.loadTokens(issuer: "https://mint.example/a")
        #expect(text(loaded?.token(at: 1) ?? nil) == "two")

        #expect(try await store.delete(.mnemonic(wallet: "main")))
        #expect(text(try await store.load(.mnemonic(wallet: "main"))) == nil)
        try await store.deleteAll(in: nil)
        #expect(try await store.names(in: nil).isEmpty)
    }

    @Test("an item of another kind under the name is refused", arguments: Backend.allCases)
    func wrongKind(_ backend: Backend) async throws {
        let store = try backend.store(in: folder)
        let item = SecretItem.seed(wallet: "main")
        try await store.save(secret("not a seed at all"), as: try item.name(), attributes: .critical(.mnemonic))
        await #expect(throws: SecureStorageError.wrongKind) { _ = text(try await store.load(item)) }
        await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
            try await store.save(secret("short"), as: item)
        }
    }
}
