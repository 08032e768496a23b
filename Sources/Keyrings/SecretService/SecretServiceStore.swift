public import Secrets
public import SecureStorage

/// The Secret Service of a Linux desktop, such as GNOME Keyring, as a store: through libsecret, which is loaded at the
/// first call.
///
/// The items lie in the user's default collection, which is encrypted with the login password. Its unlocking at login is
/// the first unlock of `Accessibility`; other levels are refused. Every call ends within its time
/// limit, and its error says what to do; no other place is used instead.
///
/// - Warning: While the collection is unlocked, **every program of the user can read every item** (CVE-2018-19358, by
///   design of the Secret Service). Names of services and accounts are not secret: they can be read also while the
///   collection is locked.
public actor SecretServiceStore: SecretStore {
    /// The questions that the service may ask the user.
    public enum Prompting: Equatable, Sendable {
        /// None: a question is an error, at once. For services without a user.
        case never
        /// Whether to create or delete an item, with this long for each answer: KeePassXC does so. A locked collection is
        /// an error, at once. For commands, also in scripts.
        case changes(limit: Duration)
        /// Also to unlock a collection.
        case allowed(limit: Duration)

        /// The user's time for an answer to a question about an item.
        var limitOfChanges: Duration? {
            switch self {
            case .never: nil
            case .changes(let limit), .allowed(let limit): limit
            }
        }
    }

    /// The Secret Service.
    public nonisolated let backend = StoreBackend.secretService
    private let calls: BoundedCalls
    private let connection: ServiceConnection
    private static let honoured: Set<Accessibility> = [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly]

    /// Creates a store of the user's default collection. Nothing is loaded or connected before the first call.
    ///
    /// - Parameters:
    ///   - environment: the environment's variables. `DBUS_SESSION_BUS_ADDRESS` and `XDG_RUNTIME_DIR` name the session
    ///     bus.
    ///   - prompting: the questions that the service may ask the user.
    public init(environment: [String: String], prompting: Prompting) {
        self.init(environment: environment, prompting: prompting, limit: SecureStorage.Limits.backendCall)
    }

    /// Creates a store with another time limit.
    ///
    /// - Parameter limit: the time of a call without the user's part.
    public init(environment: [String: String], prompting: Prompting, limit: Duration) {
        self.init(environment: environment, prompting: prompting, limit: limit, library: "libsecret-1.so.0")
    }

    init(environment: [String: String], prompting: Prompting, limit: Duration, library: String) {
        // The time of the prompt is the caller's; the calls before it and after it have the ordinary limit.
        let whole: Duration = if case .allowed(let prompt) = prompting { limit + prompt + limit } else { limit }
        calls = BoundedCalls(to: .secretService, limit: whole)
        connection = ServiceConnection(
            environment: environment, library: library, prompting: prompting, limit: limit)
    }

    /// Stores a secret, and replaces an existing one of the name. When it returns, the service has given the secret back.
    ///
    /// - Throws: `SecureStorageError.wrongKind` and similar errors if an entry of another program has the name, and
    ///   `BackendFault.ambiguous` for several different entries: see ``copies(of:)``.
    public func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        guard Self.honoured.contains(attributes.accessibility) else { throw .notHonoured(attributes.accessibility) }
        guard (1...Limits.serviceItemSize).contains(secret.count) else { throw .outsideLimits(.itemSize) }
        let item = SharedEnvelope(ItemEnvelope(secret.clone(), as: name, attributes: attributes))
        try await perform { session throws(ServiceFault) in try session.save(item.envelope) }
    }

    /// Returns the secret of that name; nil if no collection has it.
    public func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        try await perform { session throws(ServiceFault) -> SecretBytes? in
            _ = try session.unlockedCollection()
            guard let envelope = try session.open(try session.items(named: name), as: name) else { return nil }
            return envelope.opened()
        }
    }

    /// Returns the attributes of the item; nil if the store does not have it. They are inside the encrypted item, which
    /// is opened and wiped again.
    public func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        try await perform { session throws(ServiceFault) -> ItemAttributes? in
            _ = try session.unlockedCollection()
            guard let envelope = try session.open(try session.items(named: name), as: name) else { return nil }
            return envelope.attributes
        }
    }

    /// Removes the item. An item that another program wrote under the name is not removed: see ``discard(_:of:)``.
    @discardableResult
    public func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        try await perform { session throws(ServiceFault) in
            _ = try session.unlockedCollection()
            let paths = try session.items(named: name)
            guard try session.open(paths, as: name) != nil else { return false }
            for path in paths { try session.remove(path) }
            guard try session.items(named: name).isEmpty else { throw .backend(.malformedAnswer) }
            return true
        }
    }

    /// Removes some items and stores others, one after the other.
    public func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }

    /// Does nothing: the store keeps no item open.
    public func close() {}

    /// Returns the names of all items of one service, or of all services, in order.
    public func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        try await perform { session throws(ServiceFault) in
            _ = try session.unlockedCollection()
            return try session.names(in: service)
        }
    }

    /// Returns the reason why the store cannot be used now; nil if it can. It neither asks the user nor writes; the bus
    /// may start the service.
    public func unavailability() async -> BackendFault? {
        do throws(SecureStorageError) {
            try await perform(mayPrompt: false) { session throws(ServiceFault) in _ = try session.unlockedCollection() }
            return nil
        } catch { return error.unavailability }
    }

    func perform<Value: ~Copyable & Sendable>(
        mayPrompt: Bool = true, _ steps: @escaping @Sendable (ServiceSession) throws(ServiceFault) -> Value
    ) async throws(SecureStorageError) -> Value {
        let connection = connection
        return try await calls.run { () throws(SecureStorageError) -> Value in
            try connection.perform(mayPrompt: mayPrompt, steps)
        }
    }
}

/// An envelope for a closure, which cannot capture a noncopyable value.
private final class SharedEnvelope: Sendable {
    let envelope: ItemEnvelope
    init(_ envelope: consuming ItemEnvelope) { self.envelope = envelope }
}
