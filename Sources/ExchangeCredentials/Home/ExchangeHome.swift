public import Secrets
public import SecureStorage

/// The folder of a user's keys of exchanges.
///
/// ```
/// keys.vault    the keys, sealed with a passphrase of their own, unless they were moved to another store
/// keys.seen/    the last generation of the vault
/// keys.place    the store that they were moved to
/// state/        journals of orders, nonces, pauses
/// state.seen/   the last generation of each journal
/// ```
///
/// A vault that was replaced by an older copy is refused, and so is a new vault in place of one that is missing: either
/// would have forgotten which keys were revoked.
public struct ExchangeHome: Sendable {
    /// The folder's path.
    public let path: String
    /// The place of the keys, and its migration to another one.
    public let store: StoreHome

    /// Makes the value. Changes nothing on the disk.
    ///
    /// - Parameter places: returns the stores that this machine has, by the path without an ending and by the record. By
    ///   default the keys can be in the vault file only.
    public init(path: String, places: @escaping Places = Self.vaultFileOnly) {
        self.path = path
        store = StoreHome(path: path, name: "keys") { record throws(SecureStorageError) in
            try places("\(path)/keys", record)
        }
    }

    /// Returns a place by a path without an ending, and a record; nil stands for the first vault file.
    public typealias Places =
        @Sendable (_ stem: String, _ record: StoreRecord?) throws(SecureStorageError) -> any StorePlace

    /// The vault file alone.
    public static let vaultFileOnly: Places = { stem, record throws(SecureStorageError) in
        if let record { throw .backend(record.backend, .unsupported) }
        return VaultPlace(stem: stem)
    }

    private func place() throws(CredentialError) -> any StorePlace {
        do throws(SecureStorageError) { return try store.place() } catch { throw .store(error) }
    }

    /// Whether opening the keys takes a passphrase or a PIN. Otherwise the functions below do not look at theirs.
    public var needsPassphrase: Bool { get throws(CredentialError) { try place().needsPassphrase } }

    private func presence(of place: any StorePlace) async throws(CredentialError) -> StorePresence {
        do throws(SecureStorageError) { return try await place.presence() } catch { throw .store(error) }
    }

    /// Makes a new, empty store of keys.
    ///
    /// - Throws: ``CredentialError/keysMissing`` if this machine has seen another one here;
    ///   ``CredentialError/store(_:)``, also if there is one.
    public func createKeys(
        passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws(CredentialError) -> ExchangeKeys {
        let place = try place()
        guard try await presence(of: place) != .missing else { throw .keysMissing }
        do throws(SecureStorageError) {
            return ExchangeKeys(try await place.create(passphrase: passphrase, random: random))
        } catch { throw .store(error) }
    }

    /// Opens the keys for changes. No other process can change them until they are closed. A revocation that was
    /// interrupted is finished.
    ///
    /// - Throws: ``CredentialError/keysMissing``, ``CredentialError/noKey`` without a store, ``CredentialError/store(_:)``.
    public func openKeys(
        passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws(CredentialError) -> ExchangeKeys {
        let place = try await requirePlace()
        let keys: ExchangeKeys
        do throws(SecureStorageError) {
            keys = ExchangeKeys(try await place.open(passphrase: passphrase, random: random))
        } catch { throw .store(error) }
        try await keys.keyring.finishRevocations()
        return keys
    }

    /// Opens the keys for requests. Nothing is locked, so that another process can revoke a key meanwhile.
    ///
    /// The notes about the use of keys are kept in memory: ``saveNotes(of:passphrase:random:)`` stores them.
    ///
    /// - Throws: as ``openKeys(passphrase:random:)``.
    public func openKeysForRequests(passphrase: borrowing SecretBytes) async throws(CredentialError) -> RequestKeys {
        let place = try await requirePlace()
        do throws(SecureStorageError) {
            return RequestKeys(NotedStore(try await place.openReadOnly(passphrase: passphrase)))
        } catch { throw .store(error) }
    }

    /// Stores what was noted about the use of keys: the time of the last use, and the rights that a probe found.
    ///
    /// - Returns: whether they are stored. They are not if another process changes the keys, or the disk is full: the
    ///   requests were made nevertheless.
    @discardableResult
    public func saveNotes(
        of keys: RequestKeys, passphrase: borrowing SecretBytes, random: some RandomSource
    ) async -> Bool {
        let notes = await keys.store.notes
        guard !notes.isEmpty else { return true }
        do {
            let store = try await place().open(passphrase: passphrase, random: random)
            let isStored: Bool
            do {
                // A key that was removed or revoked meanwhile gets no note.
                let present = Set(try await store.names(in: nil))
                let items = notes.filter { $0.0.isNote(ofKeyIn: present) }.map { name, bytes in
                    UnsavedItem(
                        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }, as: name,
                        attributes: .sensitive(.other))
                }
                try await store.saveAll(items, deleting: [])
                isStored = true
            } catch { isStored = false }
            await store.close()
            return isStored
        } catch { return false }
    }

    /// Checks that there is a store of keys, before its passphrase is asked for.
    ///
    /// - Throws: ``CredentialError/noKey``, ``CredentialError/keysMissing``, ``CredentialError/store(_:)``.
    public func requireKeys() async throws(CredentialError) { _ = try await requirePlace() }

    private func requirePlace() async throws(CredentialError) -> any StorePlace {
        let place = try place()
        switch try await presence(of: place) {
        case .present: return place
        case .missing: throw .keysMissing
        case .absent:
            // A store of the session whose mark is gone shows less than it had.
            if let record = try record() { throw .store(.backend(record.backend, .absenceUnproven)) }
            throw .noKey
        }
    }

    private func record() throws(CredentialError) -> StoreRecord? {
        do throws(SecureStorageError) { return try store.record() } catch { throw .store(error) }
    }
}

/// Keys that are open for changes.
public struct ExchangeKeys: Sendable {
    /// The keys.
    public let keyring: Keyring
    private let store: any SecretStore

    init(_ store: any SecretStore) {
        keyring = Keyring(in: store)
        self.store = store
    }

    /// Closes them, so that another process can change them.
    public func close() async { await store.close() }
}

/// Keys that are open for requests.
public struct RequestKeys: Sendable {
    /// The keys, which cannot be changed.
    public let keyring: Keyring
    let store: NotedStore

    init(_ store: NotedStore) {
        keyring = Keyring(in: store)
        self.store = store
    }
}
