internal import AuditLog
public import Custody
internal import Files
internal import Foundation
internal import Threshold
internal import Wallet

/// Removes a wallet from this machine: its description, the share in its folder, and its book with policy, contacts and
/// history. Share files in other places stay, and can bring the wallet back (`WalletRestoration`).
///
/// The wallet disappears in one step, the renaming of its folder. After an interruption,
/// `WalletHome.finishDeletions(_:)` removes the rest, with the wallet's settings.
public struct WalletDeletion: Sendable {
    /// A share file that stays.
    public struct KeptShare: Hashable, Sendable {
        /// The place of the share.
        public let location: ShareLocation
        /// The path of the file.
        public let path: String
        /// Whether the file exists now. Its place may not be connected.
        public let isThere: Bool
    }

    /// The wallet that is removed.
    public let wallet: WalletRecord
    private let home: WalletHome

    /// Creates the removal of a wallet. Changes nothing yet.
    public init(of wallet: WalletRecord, in home: WalletHome) {
        self.wallet = wallet
        self.home = home
    }

    /// The wallet's label on this machine, which goes with the wallet; nil if it has none.
    public var label: WalletName? { home.label(of: wallet.name) }

    /// The shares whose files are removed: those in the wallet's own folder.
    public var removed: [ShareLocation] {
        wallet.shares.filter { $0.folder == folder }.map(\.location)
    }

    /// The share files in other places.
    public var kept: [KeptShare] {
        wallet.shares.filter { $0.folder != folder }.map {
            KeptShare(location: $0.location, path: $0.path, isThere: FolderCreation.isOccupied($0.path))
        }
    }

    /// Returns the reasons to keep the wallet.
    ///
    /// - Parameter book: the wallet's open book, which no other process changes meanwhile.
    /// - Throws: `CustodyError.damagedWallet(name:reason:)`, `CustodyError.file(_:)`.
    public func obstacles(in book: WalletBook) async throws(CustodyError) -> [DeletionObstacle] {
        var obstacles: [DeletionObstacle] = []
        let there = kept.filter(\.isThere).count
        let needed = wallet.parameters.threshold
        if there < needed { obstacles.append(.tooFewShares(there: there, needed: needed)) }
        let history = await book.history()
        let open = history.filter { $0.awaitsBlock && $0.conflictSet != nil }.count
        if open > 0 { obstacles.append(.openPayments(open)) }
        let unheard = history.filter { $0.isUnheard && !$0.isShown }.count
        if unheard > 0 { obstacles.append(.unacknowledged(unheard)) }
        let proposals = await book.proposals().count
        if proposals > 0 { obstacles.append(.proposals(proposals)) }
        if try home.hasUnfinishedRenewal(of: wallet.name) { obstacles.append(.unfinishedRenewal) }
        let foreign = foreignFiles
        if !foreign.isEmpty { obstacles.append(.foreignFiles(foreign)) }
        return obstacles
    }

    /// Removes the wallet. When it returns, the removal of its files is durable.
    ///
    /// - Parameters:
    ///   - book: the wallet's open book, which locks out other commands. It is closed.
    ///   - accepted: the obstacles that the user has accepted. Others, or the same with higher numbers, prevent the
    ///     deletion.
    /// - Throws: `CustodyError.notDeleted(_:)` with the obstacles that were not accepted, and then nothing was changed;
    ///   `RenewalFault.running(name:processID:)`; `CustodyError.file(_:)`: if the wallet is no longer listed then,
    ///   `WalletHome.finishDeletions(_:)` removes the rest.
    /// - Returns: the reason why the wallet's settings could not be removed; nil if they were. The wallet is removed in
    ///   either case.
    @discardableResult
    public func run(
        holding book: WalletBook, despite accepted: Set<DeletionObstacle>
    ) async throws(CustodyError) -> SettingsFault? {
        let lock = try home.lockRenewals(of: wallet.name)
        let remaining = try await obstacles(in: book).filter { obstacle in
            if case .foreignFiles = obstacle { return true }
            return !accepted.contains(obstacle)
        }
        guard remaining.isEmpty else { throw .notDeleted(remaining) }
        try home.finishDeletions()
        // A witness that has the log's next checkpoint knows of the deletion.
        let admission = try await book.admission(of: .deletion)
        do throws(FileError) {
            try FolderCreation.rename(folder, to: WalletHome.deletedName(of: wallet.name))
        } catch {
            await book.end(of: .deletion, .failed, admission, epoch: nil)
            throw .file(error)
        }
        await book.close()
        _ = consume lock
        var kept: SettingsFault?
        try home.finishDeletions { name, fault in if name == wallet.name { kept = fault } }
        return kept
    }

    private var folder: String { home.folder(of: wallet.name) }

    private var foreignFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !isOwn($0) }.sorted().map { "\(folder)/\($0)" }
    }

    /// Returns whether this library made a file of this name in the wallet's folder.
    private func isOwn(_ name: String) -> Bool {
        var name = name
        // Locks and interrupted writes: `.NAME.tmp`, `NAME.lock`.
        if name.hasPrefix("."), name.hasSuffix(".tmp") { name = String(name.dropFirst().dropLast(4)) }
        if name.hasSuffix(".lock") { name = String(name.dropLast(5)) }
        let plain = [
            "wallet.json", "creation.json", "label", "book.vault", "book.seen", "seen", "shown.json", "shown.json.turn",
            "renewal.json",
            "renewal", WalletHome.backlogName,
        ]
        if plain.contains(name) { return true }
        if name.hasPrefix(WalletHome.logPrefix) {
            let id = name.dropFirst(WalletHome.logPrefix.count)
            return id.hasSuffix(WalletLog.publishedSuffix)
                ? WalletHome.isLogID(id.dropLast(WalletLog.publishedSuffix.count)) : WalletHome.isLogID(id)
        }
        if name.hasSuffix(".counts") { name = String(name.dropLast(7)) }
        return wallet.shares.contains { share in
            share.path == "\(folder)/\(name)"
                || SharePlaces.epoch(ofFile: name, at: share.location, of: wallet.name, isInHome: true) != nil
        }
    }
}
