internal import Secrets
internal import SecureStorage

/// A store that is open only for reading, and keeps notes about the use of keys in memory.
actor NotedStore: SecretStore {
    private let vault: VaultFile
    /// The notes, which are not secret, and their names.
    private(set) var notes: [(ItemName, [UInt8])] = []

    init(_ vault: VaultFile) { self.vault = vault }

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
        return try await vault.load(name)
    }

    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        try await vault.attributes(of: name)
    }

    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool { throw .notWritable }

    func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        try await vault.names(in: service)
    }
}
