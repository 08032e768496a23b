internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

private struct Session: Codable, Equatable, Sendable {
    var user: String
    var scopes: [String]
    var expiry: Double
}

@Suite("An app's own values, and the names of the wallet's items")
struct CodableItemTests {
    private let store: any SecretStore = InMemoryStore(forTestingHonouring: Set(Accessibility.allCases))

    @Test("a value is stored as JSON, replaced, loaded and deleted")
    func roundTrip() async throws {
        let item = CodableItem<Session>(try name("session"), attributes: .sensitive(.credential))
        #expect(try await store.load(item) == nil)
        let session = Session(user: "ü", scopes: ["a", "b"], expiry: 1.5)
        try await store.save(session, as: item)
        #expect(try await store.load(item) == session)
        #expect(text(try await store.load(item.name)) == #"{"expiry":1.5,"scopes":["a","b"],"user":"ü"}"#)
        #expect(try await store.delete(item))
        #expect(try await store.load(item) == nil)
        let small = CodableItem<Int>(try name("small"), attributes: .sensitive(.other))
        try await store.save(7, as: small)
        #expect(try await store.load(small) == 7)
    }

    @Test("an item of another kind, class or type is refused, and so is a value without JSON")
    func wrongKinds() async throws {
        let item = CodableItem<Session>(try name("session"), attributes: .sensitive(.credential))
        try await store.save(secret("{}"), as: item.name, attributes: .sensitive(.credential))
        await #expect(throws: SecureStorageError.wrongKind) { _ = try await store.load(item) }
        let valid = #"{"expiry":1.5,"scopes":[],"user":"u"}"#
        for attributes in [ItemAttributes.sensitive(.other), .critical(.credential)] {
            try await store.save(secret(valid), as: item.name, attributes: attributes)
            await #expect(throws: SecureStorageError.wrongKind) { _ = try await store.load(item) }
        }
        await #expect(throws: SecureStorageError.wrongKind) {
            try await store.save(Session(user: "", scopes: [], expiry: .nan), as: item)
        }
    }

    @Test("a store has one item of each kind and name")
    func wallet() async throws {
        let words = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
        #expect(try await store.hasStoredData() == false)
        try await store.save(secret(words), as: .mnemonic(wallet: "main"))
        try await store.save(SecretBytes(count: 64, from: SeededRandom(seed: 1)), as: .seed(wallet: "main"))
        try await store.save(secret("token"), as: .accessToken(issuer: "mint"))
        try await store.save(try TokenList().appending(secret("one")), issuer: "mint")
        #expect(try await store.hasStoredData())
        #expect(text(try await store.load(.mnemonic(wallet: "main"))) == words)
        #expect(text(try await store.load(.mnemonic(wallet: "other"))) == nil)
        let seed = try await store.load(.seed(wallet: "main"))?.count
        #expect(seed == 64)
        #expect(text(try await store.load(.accessToken(issuer: "mint"))) == "token")
        let tokens = try await store.loadTokens(issuer: "mint")
        #expect(text(tokens?.token(at: 0) ?? nil) == "one")
        #expect(try await store.names(in: nil).count == 4)
        #expect(try await store.delete(.mnemonic(wallet: "main")))
        #expect(try await store.delete(.seed(wallet: "main")))
        #expect(try await store.delete(.accessToken(issuer: "mint")))
        #expect(try await store.delete(.accessTokens(issuer: "mint")))
        #expect(try await store.hasStoredData() == false)
        try await store.save(SecretBytes(count: 32, from: SeededRandom(seed: 1)), as: .seed(wallet: "main"))
        try await store.deleteAll(in: nil)
        #expect(try await store.hasStoredData() == false)
    }
}
