internal import Foundation
public import Secrets
internal import SecureStorage

/// The folder of a user's keys of exchanges.
///
/// ```
/// keys.vault    the keys, sealed with a passphrase of their own
/// keys.seen/    the last generation of the vault
/// state/        journals of orders, nonces, pauses
/// state.seen/   the last generation of each journal
/// ```
///
/// A vault that was replaced by an older copy is refused, and so is a new vault in place of one that is missing: either
/// would have forgotten which keys were revoked.
public struct ExchangeHome: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes the value. Changes nothing on the disk.
    public init(path: String) { self.path = path }

    private var vaultPath: String { "\(path)/keys.vault" }
    private var seenPath: String { "\(path)/keys.seen" }
    private var freshness: Freshness { .guarded(by: GenerationFolder(at: seenPath)) }

    /// Whether the vault of keys exists.
    public var hasKeys: Bool { FolderCreation.isOccupied(vaultPath) }

    /// Makes a new, empty vault of keys.
    ///
    /// - Throws: ``StateFault/keysMissing`` if this machine has seen another one here; ``ExchangeError/store(_:)``, also
    ///   if there is one.
    public func createKeys(
        passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws(ExchangeError) -> ExchangeKeys {
        guard hasKeys || !hasSeenKeys else { throw .state(.keysMissing) }
        do throws(SecureStorageError) {
            try FolderCreation.make(seenPath)
            return ExchangeKeys(
                try VaultFile.create(at: vaultPath, passphrase: passphrase, freshness: freshness, random: random))
        } catch { throw .store(error) }
    }

    /// Opens the keys for changes. No other process can change them until they are closed. A revocation that was
    /// interrupted is finished.
    ///
    /// - Throws: ``StateFault/keysMissing``, ``ExchangeError/noKey`` without a vault, ``ExchangeError/store(_:)``.
    public func openKeys(
        passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws(ExchangeError) -> ExchangeKeys {
        try requireKeys()
        let keys: ExchangeKeys
        do throws(SecureStorageError) {
            try FolderCreation.make(seenPath)
            keys = ExchangeKeys(
                try VaultFile.open(at: vaultPath, passphrase: passphrase, freshness: freshness, random: random))
        } catch { throw .store(error) }
        try await keys.keyring.finishRevocations()
        return keys
    }

    /// Opens the keys for requests. Nothing is locked, so that another process can revoke a key meanwhile.
    ///
    /// The notes about the use of keys are kept in memory: ``saveNotes(of:passphrase:random:)`` stores them.
    ///
    /// - Throws: as ``openKeys(passphrase:random:)``.
    public func openKeysForRequests(passphrase: borrowing SecretBytes) async throws(ExchangeError) -> RequestKeys {
        try requireKeys()
        do throws(SecureStorageError) {
            // As for changes: a folder that is missing is not an old generation.
            try FolderCreation.make(seenPath)
            return RequestKeys(
                NotedStore(try VaultFile.openReadOnly(at: vaultPath, passphrase: passphrase, freshness: freshness)))
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
            let vault = try VaultFile.open(
                at: vaultPath, passphrase: passphrase, freshness: freshness, random: random)
            let isStored: Bool
            do {
                // A key that was removed or revoked meanwhile gets no note.
                let present = Set(try await vault.names(in: nil))
                let items = notes.filter { $0.0.isNote(ofKeyIn: present) }.map { name, bytes in
                    UnsavedItem(
                        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }, as: name,
                        attributes: .sensitive(.other))
                }
                try await vault.saveAll(items)
                isStored = true
            } catch { isStored = false }
            await vault.close()
            return isStored
        } catch { return false }
    }

    /// Opens the journals, nonces and pauses, and makes their folders if they are missing.
    ///
    /// - Throws: ``ExchangeError/state(_:)``.
    public func state() throws(ExchangeError) -> ExchangeState {
        try ExchangeState(folder: "\(path)/state", seen: "\(path)/state.seen")
    }

    /// Checks that there is a vault of keys, before its passphrase is asked for.
    ///
    /// - Throws: ``ExchangeError/noKey``, ``StateFault/keysMissing``.
    public func requireKeys() throws(ExchangeError) {
        guard !hasKeys else { return }
        throw hasSeenKeys ? .state(.keysMissing) : .noKey
    }

    /// Whether this machine has seen a vault of keys. A folder that cannot be read counts as one.
    private var hasSeenKeys: Bool {
        guard FolderCreation.isOccupied(seenPath) else { return false }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: seenPath) else { return true }
        return names.contains { $0.hasSuffix(".generation") }
    }
}

/// Keys that are open for changes.
public struct ExchangeKeys: Sendable {
    /// The keys.
    public let keyring: Keyring
    private let vault: VaultFile

    init(_ vault: VaultFile) {
        keyring = Keyring(in: vault)
        self.vault = vault
    }

    /// Closes them, so that another process can change them.
    public func close() async { await vault.close() }
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
