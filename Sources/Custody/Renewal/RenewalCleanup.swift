internal import Files
public import Secrets
internal import SecureStorage
internal import Threshold

/// Cleans up after a renewal that was finished or interrupted: removes the share files that are no longer needed.
///
/// A file is removed only if it opens as exactly the share that is meant: any other file stays.
public struct RenewalCleanup: Sendable {
    let name: WalletName
    let home: WalletHome

    /// Creates the cleanup of a wallet. Changes nothing yet.
    public init(of name: WalletName, in home: WalletHome) {
        self.name = name
        self.home = home
    }

    /// Returns whether a renewal was interrupted, or left files behind.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``, ``CustodyError/file(_:)``.
    public func isNeeded() throws(CustodyError) -> Bool { try home.journal(of: name) != nil }

    /// The remaining work of a renewal that was interrupted, or that could not remove every file.
    public enum Pending: Equatable, Sendable {
        /// The old shares are valid. The files of new ones, as far as they were made, are useless.
        case begun(files: [String])
        /// The new shares are valid. These old files are still there, or may be: in places that are not connected.
        case oldFiles([String])
    }

    /// Returns the remaining work, as far as it is known without the passphrase.
    ///
    /// - Throws: as ``isNeeded()``.
    public func pending() throws(CustodyError) -> Pending? {
        guard let journal = try home.journal(of: name) else { return nil }
        func files(_ shares: [ShareRecord]) -> [String] {
            shares.filter { FolderCreation.isOccupied($0.path) || Self.isAway($0) }.map(\.path)
        }
        return try home.wallet(name).isSameWallet(as: journal.to)
            ? .oldFiles(files(journal.from.shares.filter { !journal.lost.contains($0.location) }))
            : .begun(files: files(journal.to.shares))
    }

    /// Cleans up, if anything is left to remove.
    ///
    /// - Returns: the shares whose files could not be removed.
    /// - Throws: ``RenewalFault/running(name:processID:)``, ``ShareFault/unreadable(path:_:)``
    ///   for a wrong passphrase, ``CustodyError/damagedWallet(name:reason:)``, and
    /// ``RenewalFault/unsettled(name:needed:)`` if nothing was removed because too few valid shares opened.
    public func remove(passphrase: borrowing SecretBytes) async throws(CustodyError) -> [ShareRecord] {
        let lock = try home.lockRenewals(of: name)
        defer { _ = consume lock }
        return try await settle(passphrase: passphrase)
    }

    /// Does the work of ``remove(passphrase:)`` for a caller that has the lock.
    ///
    /// `wallet.json` and the journal say which files are useless, and both may be an earlier copy, or written by an
    /// attacker. So nothing is removed until a threshold of the remaining shares was opened: an attacker cannot forge
    /// sealed data.
    func settle(passphrase: borrowing SecretBytes) async throws(CustodyError) -> [ShareRecord] {
        guard try isNeeded() else { return [] }
        try await openEnough(of: try home.wallet(name), passphrase: passphrase)
        return try await tidy(passphrase: passphrase)
    }

    private func openEnough(of wallet: WalletRecord, passphrase: borrowing SecretBytes) async throws(CustodyError) {
        let needed = wallet.parameters.threshold
        var opened = 0
        for share in wallet.shares where opened < needed {
            do throws(CustodyError) {
                let sealed = try await home.open(share.location, of: wallet, passphrase: passphrase)
                if sealed.record.isSameWallet(as: wallet) { opened += 1 }
            } catch {
                if case .share(_, .unreadable(_, let fault)) = error, fault.isRefusedPassphrase { throw error }
            }
        }
        guard opened >= needed else { throw .renewal(.unsettled(name: name.description, needed: needed)) }
    }

    /// Does the work of ``settle(passphrase:)`` for a caller that has just opened the shares that stay.
    func tidy(passphrase: borrowing SecretBytes) async throws(CustodyError) -> [ShareRecord] {
        guard let journal = try home.journal(of: name) else { return [] }
        let wallet = try home.wallet(name)
        let remaining: [ShareRecord]
        if wallet.isSameWallet(as: journal.to) {
            // The last step of the renewal may be missing. It is done before the old shares are removed.
            try home.replace(wallet)
            remaining = try await remove(
                journal.from.shares.filter { !journal.lost.contains($0.location) }, of: journal.from,
                passphrase: passphrase)
        } else if wallet.isSameWallet(as: journal.from) {
            remaining = try await remove(journal.to.shares, of: journal.to, passphrase: passphrase)
        } else {
            throw .damagedWallet(name: name.description, reason: "its renewal.json is that of another renewal")
        }
        if remaining.isEmpty {
            try home.removeJournal(of: name)
            // The list decides nothing: the old files are gone, whatever is wrong with it.
            try? home.forgetOldFiles(of: wallet)
        }
        return remaining
    }

    private func remove(
        _ shares: [ShareRecord], of wallet: WalletRecord, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> [ShareRecord] {
        var remaining: [ShareRecord] = []
        for share in shares {
            do throws(CustodyError) {
                _ = try await home.open(share.location, of: wallet, passphrase: passphrase)
            } catch {
                switch error {
                case .share(_, .unreadable(_, let fault)) where fault.isRefusedPassphrase: throw error
                // A file with the passphrase from before its change stays, like every file that does not open.
                // The remains of an interrupted write are not a share.
                case .share(_, .missing):
                    if !Self.isAway(share) {
                        try? FolderCreation.removeForGood(share.path)
                        Self.removeCounts(of: share)
                    } else {
                        remaining.append(share)
                    }
                default: remaining.append(share)
                }
                continue
            }
            do { try FolderCreation.removeForGood(share.path) } catch { remaining.append(share) }
            Self.removeCounts(of: share)
        }
        return remaining
    }

    /// Removes a file of counts whose share is missing or no longer valid.
    private static func removeCounts(of share: ShareRecord) {
        let path = SigningCountsFile.path(of: share)
        if FolderCreation.isOccupied(path) { try? FolderCreation.removeForGood(path) }
    }

    /// Returns whether the whole place is missing, and the file perhaps with it.
    private static func isAway(_ share: ShareRecord) -> Bool { !FolderCreation.isOccupied(share.folder) }
}

extension ShareRecord {
    /// The folder of the file.
    package var folder: String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
