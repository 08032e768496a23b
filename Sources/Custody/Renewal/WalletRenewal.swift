internal import Ceremonies
internal import Files
public import Secrets
internal import SecureStorage
internal import Threshold

/// Renews the shares of a wallet: all shares of all keys together. Shares that were stolen before are then worthless,
/// if they were fewer than the threshold.
///
/// New shares are written into new files and read back, while the old ones stay. Then the wallet's description is
/// replaced: that one step completes the renewal. Only after it the old files are removed. A run that fails or is
/// killed at any moment leaves the wallet with all of its old shares or with all of its new ones, and
/// ``RenewalCleanup`` removes the rest.
public struct WalletRenewal: Sendable {
    let name: WalletName
    let home: WalletHome
    package let renewal: Renewal
    let binding: DeviceShareBinding

    /// Creates a renewal of a wallet. Changes nothing yet.
    ///
    /// - Parameter binding: whether the new share of this machine needs the chip of `home`.
    public init(
        _ renewal: Renewal, of name: WalletName, in home: WalletHome, binding: DeviceShareBinding = .asBefore
    ) {
        self.renewal = renewal
        self.name = name
        self.home = home
        self.binding = binding
    }

    /// A step that takes long enough to be reported.
    public enum Step: Equatable, Sendable, CustomStringConvertible {
        /// Files of an earlier renewal are removed.
        case tidying
        /// The share at this place is opened.
        case opening(ShareLocation)
        /// New shares of every key are made.
        case generating
        /// The new share at this place is written.
        case sealing(ShareLocation)
        /// The new share at this place is read back, and compared.
        case readingBack(ShareLocation)
        /// The files of the old shares are removed.
        case removingOld

        /// A clause for progress messages.
        public var description: String {
            switch self {
            case .tidying: "removing what a renewal before left behind"
            case .opening(let location): "opening the \(location.name) share"
            case .generating: "making new shares of every key"
            case .sealing(let location): "sealing the new \(location.name) share"
            case .readingBack(let location): "reading the new \(location.name) share back"
            case .removingOld: "removing the old shares"
            }
        }
    }

    /// The result of a renewal.
    public struct Outcome: Equatable, Sendable {
        /// The wallet after the renewal.
        public let wallet: WalletRecord
        /// Old shares whose files still exist. They do not work together with new ones, but a threshold of old ones is
        /// still the key.
        public let remaining: [ShareRecord]
        /// Files in the places of lost shares that do not open as those shares. They were left in place.
        public let abandoned: [ShareRecord]
    }

    /// Checks for everything that would prevent the renewal, before the user is asked for a passphrase.
    ///
    /// - Returns: the wallet before the renewal.
    /// - Throws: ``CustodyError/noSuchWallet(name:)``, ``CustodyError/damagedWallet(name:reason:)``,
    ///   ``CustodyError/noSuchShare(name:)``, ``RenewalFault/elsewhere(name:path:found:wallet:needed:)``,
    ///   ``RenewalFault/sharesAway(_:)``, ``RenewalFault/tooFewShares(needed:missing:)``,
    ///   ``RenewalFault/placeAway(_:folder:)``, ``CustodyError/unusablePath``, ``ShareFileFault/inTheWay``.
    @discardableResult
    public func check() throws(CustodyError) -> WalletRecord {
        let wallet = try home.wallet(name)
        // The remains of an interrupted run are removed later, when the passphrase is known.
        if try home.journal(of: name) == nil { _ = try RenewalPlan(renewal, of: wallet, in: home) }
        _ = try device(after: wallet)
        return wallet
    }

    /// Returns the chip that the new share of this machine needs; nil for none.
    private func device(after wallet: WalletRecord) throws(CustodyError) -> StoreBackend? {
        let old = try wallet.share(at: .device)
        let needed: StoreBackend?
        switch binding {
        case .asBefore: needed = old.device
        case .chip: needed = home.device?.backend ?? .tpm
        case .passphraseOnly: needed = nil
        }
        if let needed, home.device?.backend != needed {
            throw .share(.device, .notMade(path: old.path, .backend(needed, .required)))
        }
        return needed
    }

    /// Renews the shares. When it returns, the new shares and the description are durable on the disk.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase of the old files, which will also be that of the new ones.
    ///   - now: seconds since 1970.
    ///   - progress: called at the beginning of each step.
    /// - Throws: as ``check()``, errors of opening a share, ``RenewalFault/shareNotLost(_:path:)``,
    ///   ``RenewalFault/running(name:processID:)``, ``CustodyError/ceremony(_:)``, ``CustodyError/noFolder(path:_:)``
    ///   and ``CustodyError/file(_:)``, which leave the wallet as it was; ``RenewalFault/unfinished(name:)``, after
    ///   which it may be renewed.
    public func run(
        passphrase: borrowing SecretBytes, random: some RandomSource, now: Int64, progress: (Step) -> Void
    ) async throws(CustodyError) -> Outcome {
        try requireHealth(of: random)
        // Two renewals at once would take each other's files for remains.
        let lock = try home.lockRenewals(of: name)
        defer { _ = consume lock }
        let cleanup = RenewalCleanup(of: name, in: home)
        var remaining: [ShareRecord] = []
        if try cleanup.isNeeded() {
            progress(.tidying)
            // The next journal does not contain these files, so this is the last time that they are reported.
            remaining = try await cleanup.settle(passphrase: passphrase)
        }
        let plan = try RenewalPlan(renewal, of: try home.wallet(name), in: home)
        let abandoned = try await checkLost(plan, passphrase: passphrase)
        let unseen = plan.wallet.shares.filter {
            !plan.lost.contains($0.location) && !FolderCreation.isOccupied($0.path)
        }
        let participants = try await participants(plan, passphrase: passphrase, random: random, progress)
        progress(.generating)
        var shares: [OneShot<KeyShares>] = []
        var keys: GroupKeys?
        do throws(CeremonyError) {
            try await SharingCeremony(terms: plan.terms).run(with: participants, random: random)
            for participant in participants where plan.terms.isReceiver(participant.index) {
                let own = try await participant.takeShares()
                guard keys == nil || keys == own.groups else { throw .threshold(.inconsistentKey) }
                keys = own.groups
                shares.append(OneShot(own))
            }
        } catch { throw CustodyError(error) }
        guard let keys else { preconditionFailure("a renewal has receivers") }
        let next = plan.record(of: keys, device: try device(after: plan.wallet), now: now)
        try await place(shares, plan, next, passphrase: passphrase, random: random, progress)
        progress(.removingOld)
        // The wallet is renewed. Files that cannot be removed now are reported, and tried again at the next occasion.
        remaining += (try? await cleanup.tidy(passphrase: passphrase)) ?? plan.wallet.shares
        // A file that is missing from its place was moved, not removed.
        remaining += unseen.filter { !remaining.contains($0) }
        return Outcome(wallet: next, remaining: remaining, abandoned: abandoned)
    }

    /// Checks that no lost share opens: if it did, its file would stay, and a threshold of old files is still the key.
    ///
    /// - Returns: the other files that are in the places of lost shares.
    private func checkLost(
        _ plan: RenewalPlan, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> [ShareRecord] {
        let there = plan.wallet.shares.filter { plan.lost.contains($0.location) && FolderCreation.isOccupied($0.path) }
        for share in there {
            do throws(CustodyError) {
                _ = try await home.open(share.location, of: plan.wallet, passphrase: passphrase)
            } catch {
                switch error {
                // A chip that only refuses for now has not lost the share, and neither has a change of the passphrase that
                // did not reach it.
                case .share(_, .unreadable(_, let fault)) where fault.isPassing: throw error
                case .share(_, .behind): throw error
                default: continue
                }
            }
            throw .renewal(.shareNotLost(share.location, path: share.path))
        }
        return there
    }

    /// Opens the present shares, and makes a participant for each.
    private func participants(
        _ plan: RenewalPlan, passphrase: borrowing SecretBytes, random: some RandomSource, _ progress: (Step) -> Void
    ) async throws(CustodyError) -> [SharingParticipant] {
        var participants: [SharingParticipant] = []
        for index in plan.terms.indices {
            guard plan.terms.isDealer(index) else {
                participants.append(
                    try inCeremony { () throws(CeremonyError) in
                        try SharingParticipant(index: index, terms: plan.terms, bringing: .nothing, random: random)
                    })
                continue
            }
            let location = ShareLocation(index: index)
            progress(.opening(location))
            let sealed = try await home.open(location, of: plan.wallet, passphrase: passphrase)
            guard sealed.record.isSameWallet(as: plan.wallet) else {
                throw .damagedWallet(
                    name: name.description, reason: "wallet.json is not what was sealed with the \(location.name) share"
                )
            }
            do throws(CeremonyError) {
                participants.append(
                    try SharingParticipant(
                        index: index, terms: plan.terms, bringing: .shares(sealed.takeKeys()), random: random))
            } catch { throw CustodyError(error) }
        }
        return participants
    }

    /// Writes the new shares, reads each back, and replaces the description.
    private func place(
        _ shares: [OneShot<KeyShares>], _ plan: RenewalPlan, _ next: WalletRecord, passphrase: borrowing SecretBytes,
        random: some RandomSource, _ progress: (Step) -> Void
    ) async throws(CustodyError) {
        // The folders come first: if one is missing later, its files may only be disconnected.
        for share in next.shares {
            do { try FolderCreation.make(share.folder) } catch { throw .noFolder(path: share.folder, error) }
        }
        try home.write(RenewalJournal(from: plan.wallet, to: next, lost: plan.lost))
        var made: [String] = []
        do throws(CustodyError) {
            for (share, keys) in zip(next.shares, shares) {
                progress(.sealing(share.location))
                guard let keys = keys.take() else { preconditionFailure("each share is taken once") }
                try SealedShare(keys: keys, record: next).seal(
                    passphrase: passphrase, device: try home.device(of: share), random: random)
                made.append(share.path)
            }
            for share in next.shares {
                progress(.readingBack(share.location))
                let sealed = try await home.open(share.location, of: next, passphrase: passphrase)
                guard sealed.record == next else {
                    throw CustodyError.share(share.location, .foreign(path: share.path))
                }
            }
            let seen = home.generationFiles(of: name)
            try home.replace(next)
            // They recorded the generations of the old share files. None of them can be of a new share, which did not
            // exist.
            for file in seen { try? FolderCreation.removeFile(file) }
        } catch {
            // If the description may be the new one, nothing is removed: after a loss of power it could be either.
            guard let present = try? home.wallet(name), present == plan.wallet else {
                throw .renewal(.unfinished(name: name.description))
            }
            // These files were just made, and are removed whatever they contain.
            for path in made { try? FolderCreation.removeForGood(path) }
            _ = try? await RenewalCleanup(of: name, in: home).tidy(passphrase: passphrase)
            throw error
        }
    }
}
