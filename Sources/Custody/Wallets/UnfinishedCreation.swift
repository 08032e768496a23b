internal import Files
internal import SecureStorage

/// The rest of a creation or an import that was interrupted before its last step. It never was a wallet: no address of
/// it was given out, so its share files are useless.
///
/// A creation writes the wallet's description as `creation.json` before it makes the first share, with the vault id of
/// each share file. Its last step renames that file to `wallet.json`. So `creation.json` exists exactly as long as the
/// wallet does not, and the ids identify the files that this creation made: no other share is ever removed.
public struct UnfinishedCreation: Sendable {
    /// The description of the wallet that was to be made.
    public let wallet: WalletRecord
    private let vaults: [ShareLocation: [UInt8]]
    private let home: WalletHome

    /// Removes the files that the creation made.
    ///
    /// - Returns: the shares whose folders cannot be reached: a useless file of the creation may be in them.
    /// - Throws: ``RenewalFault/running(name:processID:)`` if the creation runs at this moment;
    ///   ``CustodyError/file(_:)``.
    @discardableResult
    public func clear() throws(CustodyError) -> [ShareRecord] {
        let lock = try home.lockRenewals(of: wallet.name)
        let away = try clear(holding: lock)
        _ = consume lock
        FolderCreation.removeIfEmpty(home.folder(of: wallet.name))
        return away
    }

    /// Does the work of ``clear()`` for a caller that has the lock, and leaves the folder.
    func clear(holding lock: FileLock) throws(CustodyError) -> [ShareRecord] {
        // The owner of the lock may have finished it in the meantime.
        guard try home.unfinishedCreation(of: wallet.name)?.vaults == vaults else { return [] }
        var away: [ShareRecord] = []
        do throws(FileError) {
            for share in wallet.shares {
                let isThere = FolderCreation.isOccupied(share.path)
                if !isThere, !FolderCreation.isOccupied(share.folder) || Disks.real.isUnmounted(share.folder) {
                    away.append(share)
                } else if !isThere || isMade(here: share.path) {
                    // Also the remains of a write that was interrupted.
                    try FolderCreation.removeForGood(share.path)
                }
            }
            try FolderCreation.removeForGood(home.creationPath(of: wallet.name))
        } catch { throw .file(error) }
        return away
    }

    /// Returns whether this creation made the file, and no wallet uses it: a share that has signed has counts beside it.
    func isMade(here path: String) -> Bool {
        guard !FolderCreation.isOccupied(SigningCountsFile.path(ofShareAt: path)),
            let share = wallet.shares.first(where: { $0.path == path }), let id = try? VaultFile.id(ofFileAt: path)
        else { return false }
        return vaults[share.location] == id.bytes
    }

    /// Reads `creation.json`.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``.
    fileprivate init(decoding bytes: [UInt8], name: WalletName, in home: WalletHome) throws(CustodyError) {
        wallet = try WalletRecord(decoding: bytes, name: name)
        vaults = WalletRecord.vaults(in: bytes)
        self.home = home
    }
}

extension WalletHome {
    /// Returns the names of unfinished creations, sorted.
    public func unfinishedNames() -> [WalletName] {
        folderNames().filter { isUnfinished($0) }
    }

    /// Returns the rest of an interrupted creation; nil if there is none, or if the wallet exists.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``, ``CustodyError/file(_:)``.
    public func unfinishedCreation(of name: WalletName) throws(CustodyError) -> UnfinishedCreation? {
        guard isUnfinished(name) else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(creationPath(of: name), limit: Limits.walletRecordSize, access: .ownerOnly)
        } catch .notFound {
            return nil
        } catch { throw .file(error) }
        return try UnfinishedCreation(decoding: bytes, name: name, in: self)
    }

    /// Writes the description of a wallet whose shares are about to be made.
    ///
    /// - Parameter vaults: the vault id of each share file.
    func begin(_ wallet: WalletRecord, vaults: [ShareLocation: VaultID]) throws(CustodyError) {
        guard let bytes = try? wallet.encoded(with: vaults.mapValues(\.bytes)) else {
            throw .damagedWallet(name: wallet.name.description, reason: "its description cannot be written")
        }
        do { try AtomicFile.write(bytes, to: creationPath(of: wallet.name), replacing: .allowed) } catch {
            throw .file(error)
        }
    }

    /// Makes the description the wallet's: the last step of a creation. It never replaces one.
    func complete(_ wallet: WalletRecord) throws(CustodyError) {
        do { try FolderCreation.rename(creationPath(of: wallet.name), to: Self.recordName) } catch .alreadyExists {
            throw .walletExists(name: wallet.name.description)
        } catch {
            // If only the flush of the folder failed, the name is taken back: the creation failed, and is cleared up.
            if !FolderCreation.isOccupied(creationPath(of: wallet.name)) {
                try? FolderCreation.rename(recordPath(of: wallet.name), to: Self.creationName)
            }
            throw .file(error)
        }
    }

    private static let creationName = "creation.json"
    func creationPath(of name: WalletName) -> String { "\(folder(of: name))/\(Self.creationName)" }

    func isUnfinished(_ name: WalletName) -> Bool {
        FolderCreation.isOccupied(creationPath(of: name)) && !FolderCreation.isOccupied(recordPath(of: name))
    }
}
