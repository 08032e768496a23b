internal import AuditLog
internal import Custody
internal import Encoding
internal import Files
internal import Secrets
internal import SecureStorage

/// The vault file of a book. It is made at the first write: a command that only reads leaves no file behind.
actor BookFile {
    nonisolated let path: String
    private let rollbackGuard: BookRollbackGuard
    private let wallet: WalletRecord
    private let home: WalletHome
    nonisolated let random: any RandomSource
    private var vault: VaultFile?
    /// The state of the log that the next write stores along with its items.
    var logState: Checkpoint?
    /// The vault, if the file exists.
    var opened: VaultFile? { vault }
    /// The passphrase, kept until the file exists.
    private var passphrase: SecretBytes?

    /// - Throws: `CustodyError.book(_:)`.
    init(
        of wallet: WalletRecord, in home: WalletHome, passphrase: borrowing SecretBytes, random: some RandomSource
    ) throws(CustodyError) {
        self.wallet = wallet
        self.home = home
        self.random = random
        path = home.bookPath(of: wallet.name)
        rollbackGuard = BookRollbackGuard(path: home.bookRollbackGuard(of: wallet.name))
        do throws(SecureStorageError) {
            if FolderCreation.isOccupied(path) {
                try rollbackGuard.makeFolder()
                vault = try VaultFile.open(
                    at: path, passphrase: passphrase, freshness: .guarded(by: rollbackGuard), random: random)
            } else if try rollbackGuard.hasSeen {
                throw .notFound
            } else {
                self.passphrase = passphrase.clone()
            }
        } catch .notFound {
            throw .book(.missing(path: path, seen: rollbackGuard.path))
        } catch .alreadyExists {
            throw .book(.foreign(path: path, seen: rollbackGuard.path))
        } catch {
            throw .book(.unreadable(path: path, error))
        }
    }

    /// Returns all items in the book but those of the log, by name.
    ///
    /// - Throws: `CustodyError.book(_:)`.
    func contents() async throws(CustodyError) -> [(name: String, bytes: [UInt8])] {
        guard let vault else { return [] }
        var contents: [(name: String, bytes: [UInt8])] = []
        do throws(SecureStorageError) {
            for item in try await vault.names(in: nil) {
                // Another wallet's book, which opens with the same passphrase, has no item of this prefix.
                guard item.service == Self.service, item.account.hasPrefix(prefix) else { throw .wrongKind }
                let name = String(item.account.dropFirst(prefix.count))
                guard LogItem(rawValue: name) == nil, let content = try await vault.load(item) else { continue }
                contents.append((name, content.withUnsafeBytes { Array($0) }))
            }
        } catch .wrongKind {
            throw .book(.foreign(path: path, seen: rollbackGuard.path))
        } catch { throw .book(.unreadable(path: path, error)) }
        return contents
    }

    /// Stores an item, and returns when it is durable on the disk.
    ///
    /// - Throws: `CustodyError.book(_:)`, `ShareFault.unreadable(path:_:)` if the passphrase is not the wallet's.
    func save(_ bytes: [UInt8], as name: String) async throws(CustodyError) {
        try await saveAll([(name, bytes)])
    }

    /// Stores all of the items in one write: after a crash the file has all of them or none.
    ///
    /// - Throws: as ``save(_:as:)``.
    func saveAll(_ items: [(name: String, bytes: [UInt8])]) async throws(CustodyError) {
        guard !items.isEmpty else { return }
        try await write { () throws(SecureStorageError) in
            var unsaved: [UnsavedItem] = []
            for item in items { unsaved.append(try self.unsaved(item.bytes, as: item.name)) }
            return unsaved
        }
    }

    /// Stores items in one write, together with the log's newest state if the file does not have it.
    func write(
        deleting names: [String] = [], _ items: () throws(SecureStorageError) -> [UnsavedItem]
    ) async throws(CustodyError) {
        let vault = try writable()
        let state = logState
        do throws(SecureStorageError) {
            var unsaved = try items()
            if let state { unsaved.append(try self.unsaved(Array(state.text.utf8), as: LogItem.state.rawValue)) }
            var deleted: [ItemName] = []
            for name in names { deleted.append(try itemName(name)) }
            try await vault.saveAll(unsaved, deleting: deleted)
        } catch { throw .book(.notWritable(path: path, error)) }
        if logState == state { logState = nil }
    }

    func unsaved(_ bytes: [UInt8], as name: String) throws(SecureStorageError) -> UnsavedItem {
        var bytes = bytes
        return try unsaved(SecretBytes(moving: &bytes), as: name)
    }

    func unsaved(_ secret: consuming SecretBytes, as name: String) throws(SecureStorageError) -> UnsavedItem {
        UnsavedItem(secret, as: try itemName(name), attributes: .sensitive(.other))
    }

    /// Removes an item, if the book has it.
    ///
    /// - Throws: `CustodyError.book(_:)`.
    func delete(_ name: String) async throws(CustodyError) {
        guard vault != nil else { return }
        try await write(deleting: [name]) { [] }
    }

    /// The number of times that the file was written; 0 if it does not exist.
    var generation: UInt64 {
        get async throws(SecureStorageError) { try await vault?.generation ?? 0 }
    }

    func close() async {
        passphrase = nil
        await vault?.close()
    }

    /// Compares the passphrase with the wallet's, unless it has already opened an existing book.
    ///
    /// - Throws: `ShareFault.unreadable(path:_:)`, `CustodyError.book(_:)` if no share file exists for the
    ///   comparison.
    func requirePassphrase() throws(CustodyError) {
        guard let passphrase = passphrase.take() else { return }
        do throws(CustodyError) { try prove(passphrase) } catch {
            self.passphrase = consume passphrase
            throw error
        }
        self.passphrase = consume passphrase
    }

    func writable() throws(CustodyError) -> VaultFile {
        if let vault { return vault }
        guard let passphrase = passphrase.take() else { throw .book(.notWritable(path: path, .closed)) }
        do throws(CustodyError) {
            try prove(passphrase)
            let made: VaultFile
            do throws(SecureStorageError) {
                try rollbackGuard.makeFolder()
                made = try VaultFile.create(
                    at: path, passphrase: passphrase, freshness: .guarded(by: rollbackGuard), random: random)
            } catch { throw .book(.notWritable(path: path, error)) }
            vault = made
            return made
        } catch {
            self.passphrase = consume passphrase
            throw error
        }
    }

    /// Compares the passphrase with the wallet's: a book sealed under a mistyped passphrase could never be opened again.
    ///
    /// A share that refuses the passphrase for a known reason is skipped: it is an older copy, or a change of the
    /// passphrase did not reach it.
    private func prove(_ passphrase: borrowing SecretBytes) throws(CustodyError) {
        for share in wallet.sharesWithChipsLast {
            do throws(SecureStorageError) {
                _ = try VaultFile.openReadOnly(
                    at: share.path, passphrase: passphrase, device: home.device, freshness: .unchecked)
                return
            } catch {
                let explained = home.explained(
                    .share(share.location, .unreadable(path: share.path, error)), of: wallet)
                if case .share(_, .unreadable(_, let fault)) = explained, fault.isRefusedPassphrase { throw explained }
            }
        }
        throw .book(.unprovenPassphrase)
    }

    private static let service = "fueki.book"
    private var prefix: String { Hex.encode(wallet.walletID) + "." }
    func itemName(_ name: String) throws(SecureStorageError) -> ItemName {
        try ItemName(service: Self.service, account: prefix + name)
    }
}
