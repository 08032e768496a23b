internal import Files
internal import Secrets

/// The items that were saved or deleted since a migration: `keys.changes`, lines of text.
///
///     fueki changes 1
///     secret-service 0123456789abcdef
///     deleted SERVICE ACCOUNT
///
/// The second line is the destination, whose namespace is drawn for each migration: the file proves nothing about another
/// one. A line for each item follows, with `saved` or `deleted`.
///
/// A store of the user's session can lose or hide an item. So an item that it does not show was deleted by the user only if
/// this file says so; a file that is missing or damaged proves nothing.
struct StoreChanges: Sendable {
    enum Change: String { case saved, deleted }

    private static let head = "fueki changes 1"
    /// The two lines before the items, and a line for each item: the change and both parts of the name.
    private static let fileSize = StoreRecord.fileSize + Limits.itemCount * (8 + 2 * (Limits.namePart + 1))

    let path: String
    let destination: StoreRecord

    /// Returns the last change of each item that was changed since the migration.
    func changes() throws(SecureStorageError) -> [ItemName: Change] {
        let bytes: [UInt8]
        do throws(SecureStorageError) {
            bytes = try onDisk(AtomicFile.read(path, limit: Self.fileSize, access: .ownerOnly))
        } catch .notFound { return [:] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines[0] == Self.head, lines[1] == destination.line, lines.last == "" else {
            return [:]
        }
        var changes: [ItemName: Change] = [:]
        for line in lines.dropFirst(2).dropLast() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 3, let change = Change(rawValue: words[0]),
                let name = try? ItemName(service: words[1], account: words[2])
            else { return [:] }
            changes[name] = change
        }
        return changes
    }

    /// Records changes, durably. The caller holds the lock of the store, and makes the changes afterwards: a change that
    /// was recorded and did not happen is seen from the item.
    func record(_ added: [(ItemName, Change)]) throws(SecureStorageError) {
        guard !added.isEmpty else { return }
        let earlier = try changes()
        var changes = earlier
        for (name, change) in added { changes[name] = change }
        guard changes != earlier else { return }
        guard changes.count <= Limits.itemCount else { throw .outsideLimits(.itemCount) }
        let lines = changes.sorted { $0.key < $1.key }.map { name, change in
            "\(change.rawValue) \(name.service) \(name.account)\n"
        }
        try onDisk(
            AtomicFile.write(
                Array("\(Self.head)\n\(destination.line)\n\(lines.joined())".utf8), to: path, replacing: .allowed))
    }
}

/// The new place while its migration is neither confirmed nor undone: every change is recorded.
struct RecordedPlace: StorePlace {
    let place: any StorePlace
    let changes: StoreChanges

    var backend: StoreBackend { place.backend }
    var needsPassphrase: Bool { place.needsPassphrase }

    func presence() async throws(SecureStorageError) -> StorePresence { try await place.presence() }

    func create(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) async throws(SecureStorageError) -> any SecretStore {
        RecordedStore(try await place.create(passphrase: passphrase, random: random), changes)
    }

    func open(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) async throws(SecureStorageError) -> any SecretStore {
        RecordedStore(try await place.open(passphrase: passphrase, random: random), changes)
    }

    func openReadOnly(passphrase: borrowing SecretBytes) async throws(SecureStorageError) -> any SecretStore {
        try await place.openReadOnly(passphrase: passphrase)
    }

    func requireIntact() async throws(SecureStorageError) { try await place.requireIntact() }

    func destroy() async throws(SecureStorageError) { try await place.destroy() }
}

/// A store that is open for writing, whose changes are recorded before they are made.
private actor RecordedStore: SecretStore {
    private let store: any SecretStore
    private let changes: StoreChanges

    nonisolated var backend: StoreBackend { store.backend }

    init(_ store: any SecretStore, _ changes: StoreChanges) {
        self.store = store
        self.changes = changes
    }

    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        try changes.record([(name, .saved)])
        try await store.save(secret, as: name, attributes: attributes)
    }

    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? { try await store.load(name) }

    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        try await store.attributes(of: name)
    }

    @discardableResult
    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        try await recordDeletion(of: [name])
        return try await store.delete(name)
    }

    func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        try await store.names(in: service)
    }

    func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        let saved = Set(items.map(\.name))
        try await recordDeletion(of: names.filter { !saved.contains($0) })
        try changes.record(saved.sorted().map { ($0, .saved) })
        try await store.saveAll(items, deleting: names)
    }

    func close() async { await store.close() }

    /// An item that the store does not show is not deleted: it may be hidden, and may have another copy.
    private func recordDeletion(of names: [ItemName]) async throws(SecureStorageError) {
        var deleted: [(ItemName, StoreChanges.Change)] = []
        for name in names where try await store.attributes(of: name) != nil { deleted.append((name, .deleted)) }
        try changes.record(deleted)
    }
}
