internal import Files
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// What the compiler refuses is tested by compiling it, beside a control that differs only in being allowed.
@Suite(
    "Data classes: what the compiler refuses",
    .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct ClassificationCompileTimeTests {
    private func errors(in body: String, _ parameter: String) throws -> String? {
        try Compiler.errors(
            in: """
                func attempt(\(parameter), _ secret: borrowing SecretBytes, _ bytes: [UInt8]) async throws { \(body) }
                """, importing: ["Secrets", "SecureStorage"])
    }

    @Test(
        "each class is accepted by the storages that it allows, and by no other",
        arguments: [
            ("CriticalData", ["SecretStore"]), ("SensitiveData", ["SecretStore", "SealedFile"]),
            ("InternalData", ["SealedFile", "PlainFile"]), ("PublicData", ["PlainFile"]),
        ])
    func storages(dataClass: String, allowed: [String]) throws {
        let uses = [
            (
                "SecretStore", "try await store.save(secret, for: try DataKey<\(dataClass)>(\"a\", \"b\"))",
                "some SecretStore"
            ),
            ("SealedFile", "try await store.set(bytes, for: try DataKey<\(dataClass)>(\"a\", \"b\"))", "SealedFile"),
            ("PlainFile", "try await store.set(bytes, for: try DataKey<\(dataClass)>(\"a\", \"b\"))", "PlainFile"),
        ]
        for (storage, use, type) in uses {
            let output = try errors(in: use, "_ store: \(type)")
            if allowed.contains(storage) {
                #expect(output == nil, "\(dataClass) in \(storage)")
            } else {
                #expect(
                    output?.contains("requires that '\(dataClass)' conform to") == true, "\(dataClass) in \(storage)")
            }
        }
    }
}

@Suite("Files of values")
struct ValueFileTests {
    let folder: SharedFolder
    private let balances: DataKey<SensitiveData>
    private let theme: DataKey<InternalData>

    init() throws {
        folder = try SharedFolder()
        balances = try DataKey("portfolio", "balances", limit: 100)
        theme = try DataKey("settings", "theme", limit: 10)
    }

    private func store() -> InMemoryStore { InMemoryStore(forTestingHonouring: Set(Accessibility.allCases)) }

    private func sealed(in store: InMemoryStore, _ file: String = "values") async throws -> SealedFile {
        try await SealedFile(
            at: folder(file), keyName: try name("values"), in: store, random: SystemRandom())
    }

    @Test("a sealed file keeps values across openings, hides them, and removes them")
    func sealedFile() async throws {
        let store = store()
        let file = try await sealed(in: store)
        #expect(try await file.value(balances) == nil)
        try await file.set(Array("12.5 BTC".utf8), for: balances)
        try await file.set(Array("dark".utf8), for: theme)
        let again = try await sealed(in: store)
        #expect(try await again.value(balances) == Array("12.5 BTC".utf8))
        let stored = try bytes(of: folder("values"))
        #expect(
            Data(stored).range(of: Data("12.5".utf8)) == nil && Data(stored).range(of: Data("portfolio".utf8)) == nil)
        try await again.set(nil, for: balances)
        #expect(try await file.value(balances) == nil)
        #expect(try await file.value(theme) == Array("dark".utf8))
        #expect(folder.contents == ["values"])
    }

    @Test("no byte of a sealed file can be changed, and no two writes are sealed alike")
    func changed() async throws {
        let store = store()
        let file = try await sealed(in: store)
        try await file.set([1, 2, 3], for: balances)
        let good = try bytes(of: folder("values"))
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            try overwrite(folder("values"), with: bad)
            await #expect(throws: SecureStorageError.self, "byte \(index)") { try await file.value(balances) }
        }
        for length in 0..<good.count {
            try overwrite(folder("values"), with: Array(good[..<length]))
            await #expect(throws: SecureStorageError.self, "\(length) bytes") { try await file.value(balances) }
        }
        try overwrite(folder("values"), with: good)
        try await file.set([4], for: theme)
        try await file.set(nil, for: theme)
        let rewritten = try bytes(of: folder("values"))
        #expect(rewritten != good && rewritten.count == good.count)
    }

    @Test("a sealed file does not open with the key of another one, and a missing key is not replaced")
    func otherKey() async throws {
        let mine = store()
        try await sealed(in: mine).set([1], for: balances)
        let other = store()
        await #expect(throws: SecureStorageError.keyMissing) { try await sealed(in: other) }
        #expect(await other.names(in: nil).isEmpty)
        try await other.save(
            SecretBytes(count: 32, from: SystemRandom()), as: try name("values"), attributes: .sensitive(.other))
        await #expect(throws: SecureStorageError.tampered(.item)) { try await sealed(in: other) }
    }

    @Test("a plain file keeps values for its owner only, and detects damage")
    func plainFile() async throws {
        let file = PlainFile(at: folder("settings"))
        #expect(try await file.value(theme) == nil)
        try await file.set(Array("dark".utf8), for: theme)
        #expect(try await PlainFile(at: folder("settings")).value(theme) == Array("dark".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: folder("settings"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let good = try bytes(of: folder("settings"))
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            try overwrite(folder("settings"), with: bad)
            await #expect(throws: SecureStorageError.self, "byte \(index)") { try await file.value(theme) }
        }
        // A damaged file is not replaced by one that has the new value alone.
        await #expect(throws: SecureStorageError.self) { try await file.set([1], for: theme) }
    }

    @Test("a value larger than its key allows is neither stored nor returned")
    func tooLarge() async throws {
        let file = PlainFile(at: folder("settings"))
        await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
            try await file.set([UInt8](repeating: 0, count: 11), for: theme)
        }
        let wide = try DataKey<InternalData>("settings", "theme", limit: 20)
        try await file.set([UInt8](repeating: 0, count: 11), for: wide)
        await #expect(throws: SecureStorageError.wrongKind) { try await file.value(theme) }
        #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
            try DataKey<PublicData>("a", "b", limit: 1 << 21)
        }
        #expect(throws: SecureStorageError.outsideLimits(.name)) { try DataKey<PublicData>("a b", "c") }
    }

    @Test("a file holds no more values, and no more bytes, than its limits")
    func full() throws {
        var table = ValueTable()
        for number in 0..<Limits.itemCount { try table.set([], for: try name("\(number)")) }
        let before = table
        #expect(throws: SecureStorageError.outsideLimits(.itemCount)) { try table.set([], for: try name("more")) }
        #expect(table == before)
        var large = ValueTable()
        for number in 0..<3 { try large.set([UInt8](repeating: 0, count: 1 << 20), for: try name("\(number)")) }
        #expect(throws: SecureStorageError.outsideLimits(.fileSize)) {
            try large.set([UInt8](repeating: 0, count: 1 << 20), for: try name("3"))
        }
    }

    @Test("names out of order, twice or invalid are refused, and so are bytes that are left over")
    func canonical() throws {
        func entry(_ account: String) throws -> [UInt8] { try name(account).encoded + [0, 0, 0, 1, 7] }
        let good = try entry("a") + entry("b")
        #expect(try ValueTable(decoding: good[...]).encoded == good)
        for bad in [
            try entry("b") + entry("a"), try entry("a") + entry("a"), good + [1], Array(good.dropLast()),
            [0, 0, 0, 0, 0, 0], [1, 0x20, 1, 0x61, 0, 0, 0, 0], [1, 0x61, 1, 0x61, 0xFF, 0xFF, 0xFF, 0xFF],
        ] {
            #expect(throws: (any Error).self, "\(bad)") { try ValueTable(decoding: bad[...]) }
        }
    }

    @Test("a file that another process changes at this moment is not changed")
    func locked() async throws {
        let file = PlainFile(at: folder("settings"))
        try await file.set([1], for: theme)
        let lock = try FileLock(on: folder("settings"))
        await #expect(throws: SecureStorageError.lockedByAnother(processID: getpid())) {
            try await file.set([2], for: theme)
        }
        #expect(try await file.value(theme) == [1])
        withExtendedLifetime(lock) {}
    }

    @Test("a store returns a secret only under a key of the class that it was stored with")
    func secretStore() async throws {
        let store = store()
        let critical = try DataKey<CriticalData>("app", "seed", limit: 64)
        try await store.save(secret("a seed"), for: critical)
        #expect(text(try await store.load(critical)) == "a seed")
        #expect(await store.attributes(of: critical.name) == .critical(.other))
        await #expect(throws: SecureStorageError.wrongKind) {
            _ = try await store.load(try DataKey<SensitiveData>("app", "seed"))
        }
        await #expect(throws: SecureStorageError.outsideLimits(.itemSize)) {
            try await store.save(SecretBytes(count: 65, from: SystemRandom()), for: critical)
        }
        #expect(try await store.delete(critical))
        #expect(text(try await store.load(critical)) == nil)
    }
}
