internal import Secrets
internal import SecureStorage

/// A store that is open only for reading, and keeps notes about the use of keys in memory.
actor NotedStore: SecretStore {
    nonisolated var backend: StoreBackend { store.backend }
    private let store: any SecretStore
    /// The notes, which are not secret, and their names.
    private(set) var notes: [(ItemName, [UInt8])] = []

    init(_ store: any SecretStore) { self.store = store }

    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        guard name.isNote else { throw .notWritable }
        notes.removeAll { $0.0 == name }
        notes.append((name, secret.withUnsafeBytes { Array($0) }))
    }

    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        if let note = notes.first(where: { $0.0 == name }) {
            return SecretBytes(count: note.1.count) { $0.copyBytes(from: note.1) }
        }
        return try await store.load(name)
    }

    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        try await store.attributes(of: name)
    }

    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool { throw .notWritable }

    func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        try await store.names(in: service)
    }

    func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }

    func close() async { await store.close() }
}
