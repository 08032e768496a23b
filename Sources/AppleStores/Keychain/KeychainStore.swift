public import Secrets
public import SecureStorage

/// A store in the keychain of Apple's systems.
///
/// - Items stay on the device unless their accessibility says otherwise, and are never synchronised.
/// - An item is reported as absent only after a canary was read: before the first unlock after a start, iOS shows an
///   empty keychain. No absence makes the store delete anything.
/// - With a policy other than `AccessControlPolicy.none`, ``load(_:)`` shows the system's prompt. No other function
///   shows a prompt or decrypts an item.
/// - If the system has destroyed an item, ``load(_:)`` throws `BackendFault.bindingChanged(_:)` and does not return
///   nil.
/// - Items of an earlier installation of the app are neither used nor removed: see ``earlierInstallations()``.
///
/// ```swift
/// let store = try KeychainStore(
///     namespace: KeychainNamespace("com.example.wallet"), accessGroup: nil, policy: .biometryCurrentSet,
///     installation: InstallationFile(at: path), items: SystemKeychain(), promptReason: "Open the wallet")
/// ```
///
/// - Warning: The bytes that the system's own functions copy, in this process and in the keychain's, are not wiped.
public actor KeychainStore: SecretStore {
    /// The keychain.
    public nonisolated let backend = StoreBackend.keychain
    private let records: KeychainRecords
    private let promptReason: String
    private let calls: BoundedCalls
    private let prompts: BoundedCalls

    /// Creates a store. No call is made yet.
    ///
    /// - Parameters:
    ///   - namespace: the prefix of the services. Stores with different namespaces do not see each other's items.
    ///   - accessGroup: the group that shares the items; nil for the program's first one. With nil, an item that two
    ///     groups have is `BackendFault.ambiguous`.
    ///   - policy: the user's part in reading items that this store saves. The items of another policy remain
    ///     readable under their own.
    ///   - installation: the record of the app's installation, outside of the keychain.
    ///   - items: the system's keychain.
    ///   - promptReason: the reason that the system's prompt shows.
    ///   - random: the source of slots and of the installation's number.
    ///   - limit: the time for one function of the store without its prompt; nil for 3 seconds.
    ///   - promptLimit: the time for a prompt; nil for 60 seconds.
    /// - Throws: `BackendFault.unsupported` if the system cannot protect a password with the policy.
    public init(
        namespace: KeychainNamespace, accessGroup: String?, policy: AccessControlPolicy,
        installation: any InstallationMarker, items: any KeychainItems, promptReason: String,
        random: any RandomSource = SystemRandom(), limit: Duration? = nil, promptLimit: Duration? = nil
    ) throws(SecureStorageError) {
        guard policy.suitsPasswords else { throw .backend(.keychain, .unsupported) }
        records = KeychainRecords(
            items: items, namespace: namespace, accessGroup: accessGroup, policy: policy, marker: installation,
            random: random)
        self.promptReason = promptReason
        calls = BoundedCalls(to: .keychain, limit: limit ?? Limits.backendCall)
        prompts = BoundedCalls(to: .keychain, limit: promptLimit ?? AppleLimits.keychainPrompt)
    }

    /// Stores a secret of 1 byte to 1 MiB, and replaces an existing one of the name, whatever its protection.
    ///
    /// - Throws: `SecureStorageError.outsideLimits(_:)` for another size.
    public func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError) {
        guard (1...Limits.itemSize).contains(secret.count) else { throw .outsideLimits(.itemSize) }
        let item = UnsavedItem(secret.clone(), as: name, attributes: attributes)
        let saving = KeychainSaving(records)
        try await calls.run { () throws(SecureStorageError) in
            try item.withSecret { secret throws(SecureStorageError) in
                try saving.save(secret, as: item.name, attributes: item.attributes)
            }
        }
    }

    /// Returns the secret of that name; nil only if it is proven that the keychain does not have it.
    public func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes? {
        let (records, prompt) = (records, KeychainPrompt.allowed(reason: promptReason))
        for _ in 0..<AppleLimits.keychainRounds {
            let record: KeychainRecord
            switch try await calls.run({ () throws(SecureStorageError) in try records.load(name) }) {
            case .absent: return nil
            case .secret(let secret): return secret
            case .behindPrompt(let found): record = found
            }
            let secret = try await prompts.run { () throws(SecureStorageError) in
                try records.secret(of: record, prompt: prompt)
            }
            if let secret { return secret }
            try await calls.run { () throws(SecureStorageError) in try records.explainMissing(record) }
        }
        throw .backend(.keychain, .absenceUnproven)
    }

    /// Returns the attributes of the item; nil if the keychain does not have it. Does not read the secret.
    public func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes? {
        let records = records
        return try await calls.run { () throws(SecureStorageError) in try records.attributes(of: name) }
    }

    /// Removes the item. - Returns: whether there was one.
    @discardableResult
    public func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool {
        let saving = KeychainSaving(records)
        return try await calls.run { () throws(SecureStorageError) in try saving.delete(name) }
    }

    /// Returns the names of this installation's items of one service, or of all services, in order.
    public func names(in service: String?) async throws(SecureStorageError) -> [ItemName] {
        let records = records
        return try await calls.run { () throws(SecureStorageError) in try records.names(in: service) }
    }

    /// Removes some items and stores others, one after the other.
    public func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        try await saveEach(items, deleting: names)
    }

    /// Does nothing: the store keeps no item open.
    public func close() {}

    /// Returns the items that earlier installations of the app left in the keychain, by installation.
    ///
    /// An app asks the user about them at its first run. Until then their names cannot be loaded, saved or deleted:
    /// these functions throw `BackendFault.earlierInstallation`, and ``names(in:)`` omits them.
    public func earlierInstallations() async throws(SecureStorageError) -> [EarlierInstallation] {
        let records = records
        return try await calls.run { () throws(SecureStorageError) in try records.earlierInstallations() }
    }

    /// Removes the items of an earlier installation.
    public func remove(_ earlier: EarlierInstallation) async throws(SecureStorageError) {
        let saving = KeychainSaving(records)
        try await calls.run { () throws(SecureStorageError) in try saving.remove(earlier.id) }
    }

    /// Makes the items of an earlier installation items of this one.
    ///
    /// - Throws: `SecureStorageError.alreadyExists` if this installation has an item of one of the names.
    public func adopt(_ earlier: EarlierInstallation) async throws(SecureStorageError) {
        let records = records
        try await calls.run { () throws(SecureStorageError) in try records.adopt(earlier.id) }
    }
}
