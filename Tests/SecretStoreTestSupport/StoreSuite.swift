internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

/// The suite that every backend passes. Each function makes expectations about one rig, on an empty place.
public enum StoreSuite {
    /// Checks what a working store does.
    public static func checkWorking(_ rig: some StoreRig) async throws {
        let store = try await rig.open()
        let (first, second) = (try name("first"), try name("second"))
        #expect(try await text(store.load(first)) == nil)
        #expect(try await store.attributes(of: first) == nil)
        #expect(try await store.delete(first) == false)

        try await store.save(secret("one"), as: first, attributes: sensitive)
        try await store.save(secret("two"), as: second, attributes: sensitive)
        #expect(try await text(store.load(first)) == "one")
        #expect(try await store.attributes(of: first) == sensitive)
        #expect(try await store.names(in: "suite") == [first, second])
        #expect(try await store.names(in: "other").isEmpty)

        try await store.save(secret("uno"), as: first, attributes: .sensitive(.credential))
        #expect(try await text(store.load(first)) == "uno")
        #expect(try await store.attributes(of: first) == .sensitive(.credential))

        // All bytes, also zeros and those that are not UTF-8, and a new opener.
        let bytes = SecretBytes(count: 512, from: SeededRandom(seed: 7))
        try await store.save(bytes, as: second, attributes: sensitive)
        await store.close()
        let again = try await rig.open()
        #expect(try await text(again.load(first)) == "uno")
        let loaded = try await again.load(second)
        let isSame = loaded?.matches(bytes) ?? false
        #expect(isSame)
        #expect(try await again.delete(first))
        #expect(try await text(again.load(first)) == nil)
        #expect(try await again.names(in: nil) == [second])
        await again.close()
    }

    /// Checks that many tasks that save, load and delete at once leave each item as one of them wrote it.
    public static func checkConcurrent(_ rig: some StoreRig) async throws {
        let store = try await rig.open()
        let names = try (0..<4).map { try name("item-\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<12 {
                group.addTask {
                    let name = names[task % names.count]
                    for round in 0..<3 {
                        try await store.save(secret("\(task)-\(round)"), as: name, attributes: sensitive)
                        if let seen = try await text(store.load(name)) {
                            #expect(seen.hasSuffix("-\(round)") || seen.contains("-"))
                        }
                        if task % 5 == 4 { try await store.delete(name) }
                    }
                }
            }
            try await group.waitForAll()
        }
        for (number, name) in names.enumerated() {
            try await store.save(secret("last \(number)"), as: name, attributes: sensitive)
            #expect(try await text(store.load(name)) == "last \(number)")
        }
        #expect(try await store.names(in: nil) == names)
        await store.close()
    }

    /// Checks one failure state: every call ends with the expected error, and no item is lost.
    ///
    /// - Returns: whether the backend has such a state.
    @discardableResult
    public static func check(_ state: FailureState, on rig: some StoreRig) async throws -> Bool {
        let name = try name("kept")
        let store = try await rig.open()
        try await store.save(secret("kept"), as: name, attributes: sensitive)
        guard let expectation = try await rig.enter(state, with: store) else {
            await store.close()
            return false
        }
        if expectation.opens {
            await expect(expectation.loading, state) { () async throws(SecureStorageError) in
                #expect(text(try await store.load(name)) == "kept")
            }
            await expect(expectation.saving, state) { () async throws(SecureStorageError) in
                try await store.save(secret("kept"), as: name, attributes: sensitive)
            }
            await expect(expectation.saving, state) { () async throws(SecureStorageError) in
                try await store.save(secret("new"), as: try Self.name("new"), attributes: sensitive)
                try await store.delete(try Self.name("new"))
            }
        } else {
            await store.close()
            await expect(expectation.loading, state) { () async throws(SecureStorageError) in
                await (try await rig.open()).close()
            }
        }
        await store.close()
        try await rig.leave(state)
        guard expectation.keepsItems else { return true }
        let again = try await rig.open()
        #expect(try await text(again.load(name)) == "kept", "an item was lost: \(state)")
        await again.close()
        return true
    }

    private static func expect(
        _ errors: [SecureStorageError], _ state: FailureState, _ call: () async throws(SecureStorageError) -> Void
    ) async {
        do {
            try await call()
            #expect(errors.isEmpty, "no error: \(state)")
        } catch {
            #expect(errors.contains(error), "unexpected: \(state)")
        }
    }

    private static func name(_ account: String) throws(SecureStorageError) -> ItemName {
        try ItemName(service: "suite", account: account)
    }
}

private let sensitive = ItemAttributes.sensitive(.accessToken)
