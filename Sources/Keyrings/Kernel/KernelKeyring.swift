public import Secrets
public import SecureStorage

/// The keyring of the Linux kernel as a store: a cache for the time of a session.
///
/// The kernel never writes the items to a disk. It forgets them after their lifetime, when the user's last process has
/// ended, and at shutdown. Items that must outlast that are refused: those of the class
/// `DataClass.critical`. The only level that is honoured is
/// `Accessibility.afterFirstUnlockThisDeviceOnly`.
///
/// The items are keys in the user's own keyring (`@u`). A session's keyring would lose them at the end of each login, and a
/// process's keyring with the process. A keyring below `@u` would add a race: a process that creates a keyring of a name
/// displaces the one that another process has just created and filled. The permissions let all processes of the user in,
/// and no one else. They do not depend on possession: a process that a service manager started often has no link to the
/// user's keyring, and would be refused its own items.
///
/// - Warning: Every process of the user, and root, can read every item.
public actor KernelKeyring: SecretStore {
    /// The keyring of the Linux kernel.
    public nonisolated let backend = StoreBackend.kernelKeyring
    private let calls: BoundedCalls
    private let keys: any KernelKeys
    private let lifetime: UInt32
    private let description: KeyDescription

    /// Every right for the possessor and for the user, none for the group and others.
    static let permissions: UInt32 = 0x3f3f_0000

    /// Creates a store of this user's items.
    ///
    /// - Parameter lifetime: the time after which the kernel forgets an item that was not saved again, in whole seconds, at
    ///   least one, and at most 30 days. Nil if it may keep items until the end of the session.
    public init(lifetime: Duration?) {
        self.init(lifetime: lifetime, limit: SecureStorage.Limits.backendCall, keys: SystemKeys())
    }

    /// - Parameters:
    ///   - keys: the system calls, or a double.
    ///   - prefix: the beginning of descriptions. Each test has its own.
    init(lifetime: Duration?, limit: Duration, keys: any KernelKeys, prefix: String = "fueki") {
        let range = Limits.kernelLifetime
        let seconds = lifetime.map { min(max($0.components.seconds, range.lowerBound), range.upperBound) }
        self.lifetime = UInt32(seconds ?? 0)
        self.keys = keys
        description = KeyDescription(prefix: prefix)
        calls = BoundedCalls(to: .kernelKeyring, limit: limit)
    }

    /// Stores a secret for the session, and replaces an existing one of the name.
    ///
    /// - Throws: `BackendFault.sessionOnly` for a critical item, and `BackendFault.full` if the user's quota is used up.
    public func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        guard attributes.accessibility == .afterFirstUnlockThisDeviceOnly else {
            throw .notHonoured(attributes.accessibility)
        }
        guard attributes.dataClass != .critical else { throw .backend(.kernelKeyring, .sessionOnly) }
        guard (1...Limits.kernelItemSize).contains(secret.count) else { throw .outsideLimits(.itemSize) }
        let payload = SharedPayload(ItemEnvelope(secret.clone(), as: name, attributes: attributes).encoded)
        let steps = steps
        try await calls.run { () throws(SecureStorageError) in try steps.save(payload.bytes, as: name) }
    }

    /// Returns the secret of that name; nil if it was never saved, or the kernel has forgotten it.
    public func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        let steps = steps
        return try await calls.run { () throws(SecureStorageError) -> SecretBytes? in
            guard let envelope = try steps.open(name) else { return nil }
            return envelope.opened()
        }
    }

    /// Returns the attributes of the item; nil if the store does not have it. They are in the item's payload, which is
    /// read and wiped again.
    public func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        let steps = steps
        return try await calls.run { () throws(SecureStorageError) -> ItemAttributes? in
            guard let envelope = try steps.open(name) else { return nil }
            return envelope.attributes
        }
    }

    /// Removes the item. Bytes that another program wrote under the name are not removed: see ``discard(_:)``.
    @discardableResult
    public func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        let steps = steps
        return try await calls.run { () throws(SecureStorageError) -> Bool in
            guard try steps.open(name) != nil else { return false }
            return try steps.remove(name)
        }
    }

    /// Removes the key under a name, also one that this library did not write. - Returns: whether there was one.
    @discardableResult
    public func discard(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        let steps = steps
        return try await calls.run { () throws(SecureStorageError) -> Bool in try steps.remove(name) }
    }

    /// Removes some items and stores others, one after the other.
    public func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }

    /// Does nothing: the store keeps no item open.
    public func close() {}

    /// Returns the names of all items of one service, or of all services, in order.
    public func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        let steps = steps
        return try await calls.run { () throws(SecureStorageError) -> [ItemName] in try steps.names(in: service) }
    }

    /// Returns the reason why the store cannot be used; nil if it can. It writes nothing.
    public func unavailability() async -> BackendFault? {
        let steps = steps
        do throws(SecureStorageError) {
            _ = try await calls.run { () throws(SecureStorageError) -> [ItemName] in try steps.names(in: nil) }
            return nil
        } catch { return error.unavailability }
    }

    private var steps: KeyringSteps { KeyringSteps(keys: keys, lifetime: lifetime, description: description) }
}

/// A payload for a closure, which cannot capture a noncopyable value.
private final class SharedPayload: Sendable {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
