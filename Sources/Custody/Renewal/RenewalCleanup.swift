public import Secrets
internal import SecureStorage
internal import Threshold

/// Tidies up after a renewal, be it finished or interrupted: removes the share files that are of no use any more.
///
/// A file is removed only if it opens as the very share that is meant: a file that somebody else put there stays.
public struct RenewalCleanup: Sendable {
    let name: WalletName
    let home: WalletHome

    /// Creates the cleanup of a wallet. Touches nothing yet.
    public init(of name: WalletName, in home: WalletHome) {
        self.name = name
        self.home = home
    }

    /// Whether a renewal was interrupted, or left files behind.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``, ``CustodyError/file(_:)``.
    public func isNeeded() throws(CustodyError) -> Bool { try home.journal(of: name) != nil }

    /// What an interrupted renewal, or one that could not remove everything, still has to do.
    public enum Pending: Equatable, Sendable {
        /// The shares are the old ones. The files of new ones, as far as they were made, are of no use.
        case begun(files: [String])
        /// The shares are the new ones. These old files are still there, or may be: in places that are away.
        case oldFiles([String])
    }

    /// What there is to do, as far as it can be seen without the passphrase.
    ///
    /// - Throws: as ``exist()``.
    public func pending() throws(CustodyError) -> Pending? {
        guard let journal = try home.journal(of: name) else { return nil }
        func files(_ shares: [ShareRecord]) -> [String] {
            shares.filter { FolderCreation.isOccupied($0.path) || Self.isAway($0) }.map(\.path)
        }
        return try home.wallet(name).isSameWallet(as: journal.to)
            ? .oldFiles(files(journal.from.shares.filter { !journal.lost.contains($0.location) }))
            : .begun(files: files(journal.to.shares))
    }

    /// Tidies up, if there is something to.
    ///
    /// - Returns: the shares whose files could not be removed.
    /// - Throws: ``RenewalFault/running(name:processID:)``, ``ShareFault/unreadable(path:_:)``
    ///   for a wrong passphrase, ``CustodyError/damagedWallet(name:reason:)``, and
    ///   ``RenewalFault/unsettled(name:needed:)`` where nothing was removed.
    public func remove(passphrase: borrowing SecretBytes) async throws(CustodyError) -> [ShareRecord] {
        let lock = try home.lockRenewals(of: name)
        defer { _ = consume lock }
        return try await settle(passphrase: passphrase)
    }

    /// The same, for who has the lock.
    ///
    /// `wallet.json` and the journal say which files are of no use, and both may be a copy from before, or somebody else's work.
    /// So nothing goes until as many of the shares that stay as sign were opened: what is sealed nobody can forge.
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
                if case .share(_, .unreadable(_, .wrongPassphrase)) = error { throw error }
            }
        }
        guard opened >= needed else { throw .renewal(.unsettled(name: name.description, needed: needed)) }
    }

    /// The same, for who has just opened the shares that stay.
    func tidy(passphrase: borrowing SecretBytes) async throws(CustodyError) -> [ShareRecord] {
        guard let journal = try home.journal(of: name) else { return [] }
        let wallet = try home.wallet(name)
        let remaining: [ShareRecord]
        if wallet.isSameWallet(as: journal.to) {
            // It may be that the step which makes it last did not happen. Before the old shares go, it does.
            try home.replace(wallet)
            remaining = try await remove(
                journal.from.shares.filter { !journal.lost.contains($0.location) }, of: journal.from,
                passphrase: passphrase)
        } else if wallet.isSameWallet(as: journal.from) {
            remaining = try await remove(journal.to.shares, of: journal.to, passphrase: passphrase)
        } else {
            throw .damagedWallet(name: name.description, reason: "its renewal.json is that of another renewal")
        }
        if remaining.isEmpty { try home.removeJournal(of: name) }
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
                case .share(_, .unreadable(_, .wrongPassphrase)): throw error
                // What an interrupted write left is no share.
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

    /// Without its share, or for one that signs nothing any more, the file with the counts is of no use.
    private static func removeCounts(of share: ShareRecord) {
        let path = SigningCountsFile.path(of: share)
        if FolderCreation.isOccupied(path) { try? FolderCreation.removeForGood(path) }
    }

    /// Whether the whole place is away, and the file perhaps with it.
    private static func isAway(_ share: ShareRecord) -> Bool { !FolderCreation.isOccupied(share.folder) }
}

extension ShareRecord {
    /// The folder that the file lies in.
    var folder: String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
