internal import Encoding
internal import Files
public import Secrets

/// A namespace in a store that belongs to the user's session or device, such as the Secret Service or the keychain. The
/// store's items of other programs, and of other folders of this one, are outside of it.
public struct SharedPlace: StorePlace {
    private let store: any SecretStore
    private let namespace: StoreNamespace
    private let lockPath: String

    /// Creates the value. Does not touch the store.
    ///
    /// - Parameters:
    ///   - namespace: the part of the store.
    ///   - lockPath: the path of a file whose lock keeps other processes from writing; it need not exist.
    public init(in store: any SecretStore, namespace: StoreNamespace, lockPath: String) {
        self.store = store
        self.namespace = namespace
        self.lockPath = lockPath
    }

    public var backend: StoreBackend { store.backend }
    public var needsPassphrase: Bool { false }

    private func mark() throws(SecureStorageError) -> ItemName {
        try ItemName(service: "\(namespace).store", account: "mark")
    }

    private func hasMark() async throws(SecureStorageError) -> Bool {
        try await store.attributes(of: mark()) != nil
    }

    public func presence() async throws(SecureStorageError) -> StorePresence {
        try await hasMark() ? .present : .absent
    }

    public func create(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) async throws(SecureStorageError) -> any SecretStore {
        let lock = try onDisk(FileLock(on: lockPath))
        guard try await !hasMark() else { throw .alreadyExists }
        try await store.save(SecretBytes(count: 1) { $0[0] = 1 }, as: mark(), attributes: .sensitive(.other))
        return NamespacedStore(store, namespace, lock: lock)
    }

    public func open(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) async throws(SecureStorageError) -> any SecretStore {
        let lock = try onDisk(FileLock(on: lockPath))
        try await requireMark()
        return NamespacedStore(store, namespace, lock: lock)
    }

    public func openReadOnly(passphrase: borrowing SecretBytes) async throws(SecureStorageError) -> any SecretStore {
        try await requireMark()
        return NamespacedStore(store, namespace, lock: nil)
    }

    /// The mark proves that the store shows our items, so that an absent item is absent.
    private func requireMark() async throws(SecureStorageError) {
        guard try await hasMark() else { throw .backend(backend, .absenceUnproven) }
    }

    public func requireIntact() async throws(SecureStorageError) { try await requireMark() }

    public func destroy() async throws(SecureStorageError) {
        let lock = try onDisk(FileLock(on: lockPath))
        let namespaced = NamespacedStore(store, namespace, lock: lock)
        try await namespaced.deleteAll(in: nil)
        try await store.delete(mark())
        await namespaced.close()
    }
}

/// A namespace in a store: 16 hexadecimal digits, drawn once.
public struct StoreNamespace: Hashable, Sendable, CustomStringConvertible {
    static let size = 8

    /// The digits.
    public let description: String

    /// Draws a namespace.
    public init(from random: some RandomSource) { description = Hex.encode(random.publicBytes(count: Self.size)) }

    /// Reads a namespace; nil for other text.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard let bytes = try? Hex.decode(text), bytes.count == Self.size, Hex.encode(bytes) == text else { return nil }
        description = text
    }
}

/// A part of a store, whose services begin with the namespace there and not here.
private actor NamespacedStore: SecretStore {
    private let store: any SecretStore
    private let prefix: String
    private var lock: FileLock?
    private let isWritable: Bool
    private var isClosed = false

    nonisolated var backend: StoreBackend { store.backend }

    init(_ store: any SecretStore, _ namespace: StoreNamespace, lock: FileLock?) {
        self.store = store
        prefix = "\(namespace).items."
        self.lock = lock
        isWritable = lock != nil
    }

    private func inside(_ name: ItemName) throws(SecureStorageError) -> ItemName {
        guard !isClosed else { throw .closed }
        return try ItemName(service: prefix + name.service, account: name.account)
    }

    private func requireWritable() throws(SecureStorageError) { guard isWritable else { throw .notWritable } }

    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        try requireWritable()
        try await store.save(secret, as: inside(name), attributes: attributes)
    }

    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        try await store.load(inside(name))
    }

    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        try await store.attributes(of: inside(name))
    }

    @discardableResult
    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        try requireWritable()
        return try await store.delete(inside(name))
    }

    func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        guard !isClosed else { throw .closed }
        var names: [ItemName] = []
        for name in try await store.names(in: service.map { prefix + $0 }) where name.service.hasPrefix(prefix) {
            names.append(
                try ItemName(service: String(name.service.dropFirst(prefix.count)), account: name.account))
        }
        return names
    }

    func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }

    func close() {
        isClosed = true
        lock = nil
    }
}
