internal import Ceremonies
public import Secrets
internal import SecureStorage
internal import Threshold

/// Renews the shares of a wallet: all of them, of all keys, together. What was stolen before is worth nothing afterwards, as
/// long as it was fewer shares than sign.
///
/// New shares go into new files, each read back, while the old ones stay. Then the wallet's description is replaced: that one
/// step makes the renewal. Only after it the old files are removed. A run that fails or is killed, at whatever moment, leaves
/// the wallet with all of its old shares or with all of its new ones, and ``RenewalCleanup`` tidies up.
public struct WalletRenewal: Sendable {
    let name: WalletName
    let home: WalletHome
    let renewal: Renewal

    /// Creates a renewal of a wallet. Touches nothing yet.
    public init(_ renewal: Renewal, of name: WalletName, in home: WalletHome) {
        self.renewal = renewal
        self.name = name
        self.home = home
    }

    /// A step that takes long enough to be told.
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

        /// A clause for the person who waits.
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

    /// What a renewal ends with.
    public struct Outcome: Equatable, Sendable {
        /// The wallet as it is now.
        public let wallet: WalletRecord
        /// Old shares whose files are still somewhere. They are worthless together with new ones; but as many old ones as
        /// signed before are the key.
        public let remaining: [ShareRecord]
        /// Files in the places of lost shares, which do not open as those: they were left as they are.
        public let abandoned: [ShareRecord]
    }

    /// Tells what is in the way, before a passphrase is asked for.
    ///
    /// - Returns: the wallet as it is.
    /// - Throws: ``CustodyError/noSuchWallet(name:)``, ``CustodyError/damagedWallet(name:reason:)``,
    ///   ``CustodyError/noSuchShare(name:)``, ``RenewalFault/elsewhere(name:path:found:wallet:needed:)``,
    ///   ``RenewalFault/sharesAway(_:)``, ``RenewalFault/tooFewShares(needed:missing:)``,
    ///   ``RenewalFault/placeAway(_:folder:)``, ``CustodyError/unusablePath``, ``ShareFileFault/inTheWay``.
    @discardableResult
    public func check() throws(CustodyError) -> WalletRecord {
        let wallet = try home.wallet(name)
        // What an interrupted run left in the way is removed when the passphrase is there.
        if try home.journal(of: name) == nil { _ = try RenewalPlan(renewal, of: wallet, in: home) }
        return wallet
    }

    /// Renews the shares. When it returns, the new shares and the description are on the disk to stay.
    ///
    /// - Parameters:
    ///   - passphrase: of the old files; it will be that of the new ones.
    ///   - now: seconds since 1970.
    ///   - progress: called at the beginning of each step.
    /// - Throws: as ``check()``, what opening a share throws, ``RenewalFault/shareNotLost(_:path:)``,
    ///   ``RenewalFault/running(name:processID:)``, ``CustodyError/ceremony(_:)``, ``CustodyError/noFolder(path:_:)``,
    ///   ``CustodyError/file(_:)``: the wallet is as it was. ``RenewalFault/unfinished(name:)``: it may be renewed.
    public func run(
        passphrase: borrowing SecretBytes, random: some RandomSource, now: Int64, progress: (Step) -> Void
    ) async throws(CustodyError) -> Outcome {
        // Two at once would take each other's files for remains.
        let lock = try home.lockRenewals(of: name)
        defer { _ = consume lock }
        let cleanup = RenewalCleanup(of: name, in: home)
        var remaining: [ShareRecord] = []
        if try cleanup.isNeeded() {
            progress(.tidying)
            // The next journal knows nothing of them: this is the last time that they are told.
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
        let next = plan.record(of: keys, now: now)
        try await place(shares, plan, next, passphrase: passphrase, random: random, progress)
        progress(.removingOld)
        // The wallet is renewed. What cannot be removed now is told, and tried again at the next occasion.
        remaining += (try? await cleanup.tidy(passphrase: passphrase)) ?? plan.wallet.shares
        // A file that is not where it was is not gone: somebody has moved it.
        remaining += unseen.filter { !remaining.contains($0) }
        return Outcome(wallet: next, remaining: remaining, abandoned: abandoned)
    }

    /// A share that opens is not lost: given up, its file would stay, and as many old files as signed are still the key.
    ///
    /// - Returns: the files in the places of lost shares that are something else.
    private func checkLost(
        _ plan: RenewalPlan, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> [ShareRecord] {
        let there = plan.wallet.shares.filter { plan.lost.contains($0.location) && FolderCreation.isOccupied($0.path) }
        for share in there {
            do { _ = try await home.open(share.location, of: plan.wallet, passphrase: passphrase) } catch { continue }
            throw .renewal(.shareNotLost(share.location, path: share.path))
        }
        return there
    }

    /// Opens the present shares, and makes a participant for each who takes part.
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
        // The folders come first: in one that is not there later, there may be a file that is only away.
        for share in next.shares {
            do { try FolderCreation.make(share.folder) } catch { throw .noFolder(path: share.folder, error) }
        }
        try home.write(RenewalJournal(from: plan.wallet, to: next, lost: plan.lost))
        var made: [String] = []
        do throws(CustodyError) {
            for (share, keys) in zip(next.shares, shares) {
                progress(.sealing(share.location))
                guard let keys = keys.take() else { preconditionFailure("each share is taken once") }
                try SealedShare(keys: keys, record: next).seal(passphrase: passphrase, random: random)
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
            // They witness how new the old shares' files were. None of them can be of a new share: nobody knew of those.
            for file in seen { try? FolderCreation.removeFile(file) }
        } catch {
            // Where the description may be the new one, nothing may go: after a loss of power it could be either.
            guard let present = try? home.wallet(name), present == plan.wallet else {
                throw .renewal(.unfinished(name: name.description))
            }
            // These were made a moment ago, and are removed whatever is in them.
            for path in made { try? FolderCreation.removeForGood(path) }
            _ = try? await RenewalCleanup(of: name, in: home).tidy(passphrase: passphrase)
            throw error
        }
    }
}
