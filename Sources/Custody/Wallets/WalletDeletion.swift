internal import AuditLog
internal import Ceremonies
internal import Files
internal import Foundation
internal import Threshold
internal import Wallet

/// Removes a wallet from this machine: its description, the share in its folder, and its book with policy, contacts and
/// history. Share files in other places stay, and can bring the wallet back (``WalletRestoration``).
///
/// The wallet disappears in one step, the renaming of its folder. After an interruption,
/// ``WalletHome/finishDeletions(_:)`` removes the rest, with the wallet's settings.
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

    /// A reason to keep the wallet. Nothing is deleted while an obstacle exists that the caller has not accepted.
    public enum Obstacle: Hashable, Sendable {
        /// The remaining share files that can be reached are fewer than the threshold: without the others the coins are
        /// lost.
        case tooFewShares(there: Int, needed: Int)
        /// This number of signed transactions are not in a block yet, or had no answer.
        case openPayments(Int)
        /// The results of this number of payments were never acknowledged: the same orders would be paid again.
        case unacknowledged(Int)
        /// This number of proposals wait to be signed.
        case proposals(Int)
        /// A renewal was interrupted, and has not been cleaned up.
        case unfinishedRenewal
        /// The wallet's folder has files that are not the wallet's: their paths. They must be moved first; this
        /// obstacle cannot be accepted.
        case foreignFiles([String])
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
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``, ``CustodyError/file(_:)``.
    public func obstacles(in book: WalletBook) async throws(CustodyError) -> [Obstacle] {
        var obstacles: [Obstacle] = []
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
        if try home.journal(of: wallet.name) != nil { obstacles.append(.unfinishedRenewal) }
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
    /// - Throws: ``CustodyError/notDeleted(_:)`` with the obstacles that were not accepted, and then nothing was changed;
    ///   ``RenewalFault/running(name:processID:)``; ``CustodyError/file(_:)``: if the wallet is no longer listed then,
    ///   ``WalletHome/finishDeletions(_:)`` removes the rest.
    /// - Returns: the reason why the wallet's settings could not be removed; nil if they were. The wallet is removed in
    ///   either case.
    @discardableResult
    public func run(
        holding book: WalletBook, despite accepted: Set<Obstacle>
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
            "renewal",
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

extension WalletHome {
    private static let deletedMark = ".deleted"

    /// Returns the name of the folder of a wallet during its removal. No wallet can have this name, as it begins with a
    /// point.
    static func deletedName(of name: WalletName) -> String { ".\(name)\(deletedMark)" }

    /// Removes the rest of interrupted deletions, and the settings of their wallets. The list of wallets leaves such
    /// wallets out.
    ///
    /// If the name has been given to a new wallet since, its settings stay.
    ///
    /// - Parameter report: gets the wallets whose settings could not be removed, each with the reason. The rest of the
    ///   wallet is removed anyway: it contains a share.
    /// - Returns: the names of the wallets whose deletion was finished, and their labels, as far as these still existed.
    /// - Throws: ``CustodyError/file(_:)``.
    @discardableResult
    public func finishDeletions(
        _ report: (WalletName, SettingsFault) -> Void = { _, _ in }
    ) throws(CustodyError) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/wallets")) ?? []
        let remains = entries.filter { $0.hasPrefix(".") && $0.hasSuffix(Self.deletedMark) }.sorted()
        let names = remains.map { String($0.dropFirst().dropLast(Self.deletedMark.count)) }
        let labels = remains.compactMap { storedLabel(in: "\(path)/wallets/\($0)")?.label.description }
        for (folder, text) in zip(remains, names) {
            // The settings first: after an interruption the folder still says that they have to go.
            if let name = try? WalletName(text), !FolderCreation.isOccupied(self.folder(of: name)) {
                do throws(SettingsFault) { try Settings.forget(name, in: self) } catch { report(name, error) }
            }
            do throws(FileError) { try FolderCreation.removeTree("\(path)/wallets/\(folder)") } catch {
                throw .file(error)
            }
        }
        return names + labels.filter { !names.contains($0) }
    }
}
