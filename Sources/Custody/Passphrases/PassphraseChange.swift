internal import Files
package import Secrets
internal import SecureStorage

/// A change of a wallet's passphrase, in every file that it opens: the share files and the book. The shares, the keys and
/// the addresses stay.
///
/// A change that fails or is killed at any moment leaves the wallet so that one of the two passphrases opens every file
/// that can be reached; the same change again completes it. Files that cannot be reached are remembered, and keep the
/// passphrase from before until the same change reaches them. Copies of the files always keep theirs.
///
/// `WalletHome.changePassphrase` of `WalletBooks` runs it, because the change is logged in the wallet's book.
public struct PassphraseChange: Sendable {
    let name: WalletName
    let home: WalletHome

    /// Creates a change for a wallet. Changes nothing yet.
    public init(of name: WalletName, in home: WalletHome) {
        self.name = name
        self.home = home
    }

    /// A step that takes long enough to be reported.
    public enum Step: Equatable, Sendable {
        /// The file is opened with the present passphrase or the new one.
        case opening(PassphraseFile)
        /// The file gets the new passphrase beside the old one.
        case adding(PassphraseFile)
        /// The file is opened with the new passphrase.
        case readingBack(PassphraseFile)
        /// The file is sealed again with the new passphrase alone.
        case sealing(PassphraseFile)
    }

    /// The reason why a share file was not reached.
    public enum Obstacle: Equatable, Sendable {
        /// The file is missing, or its place is not connected.
        case missing
        /// An older copy of the file is in its place.
        case olderCopy
        /// The file opens, and cannot be written.
        case readOnly
    }

    /// A share file that may still open with a passphrase from before.
    public struct Behind: Equatable, Sendable {
        /// The share.
        public let share: ShareRecord
        /// The reason.
        public let obstacle: Obstacle
    }

    /// The result of a change.
    public struct Outcome: Equatable, Sendable {
        /// The files that were sealed again with the new passphrase; empty if it opened all of them before.
        public let changed: [PassphraseFile]
        /// The share files that were not reached.
        public let behind: [Behind]
    }

    /// A share file that is open for the change, or the reason why it is not.
    private struct Reached {
        let state: PassphraseChangePlan.State
        var vault: VaultFile?
    }

    /// Changes the passphrase. When it returns, that is durable.
    ///
    /// - Parameters:
    ///   - present: the passphrase of the files. A file that opens with the new one is also accepted.
    ///   - now: seconds since 1970.
    ///   - progress: called at the beginning of each step.
    /// - Throws: ``CustodyError/unusablePassphrase(_:)`` for the new one, ``CustodyError/passphraseChange(_:)``, the
    ///   errors of opening a share, ``RenewalFault/running(name:processID:)``, ``CustodyError/file(_:)``. After
    ///   ``PassphraseFault/interrupted(path:_:)`` the same change has to be made again; after any other error nothing was
    ///   changed, or only the list of files that were not reached.
    package func run(
        from present: borrowing SecretBytes, to new: borrowing SecretBytes, book: some PassphraseHolder,
        random: some RandomSource, now: Int64, progress: (Step) -> Void
    ) async throws(CustodyError) -> Outcome {
        try WalletCreation.require(new)
        try requireHealth(of: random)
        let lock = try home.lockRenewals(of: name)
        defer { _ = consume lock }
        let wallet = try home.wallet(name)
        if case .begun = try RenewalCleanup(of: name, in: home).pending() {
            throw .passphraseChange(.unfinishedRenewal(name: name.description))
        }
        let isSame = PassphraseText.isSame(present, as: new)
        let shares = try await reach(wallet, from: present, to: new, isSame: isSame, book, random, progress)
        do throws(CustodyError) {
            let outcome = try await change(shares, of: wallet, isSame: isSame, to: new, book, now: now, progress)
            for share in shares.values { await share.vault?.close() }
            return outcome
        } catch {
            for share in shares.values { await share.vault?.close() }
            throw error
        }
    }
}

// MARK: - Opening

extension PassphraseChange {
    /// Opens every share file, the one that needs a chip last: the others tell which passphrase it has.
    private func reach(
        _ wallet: WalletRecord, from present: borrowing SecretBytes, to new: borrowing SecretBytes, isSame: Bool,
        _ book: some PassphraseHolder, _ random: some RandomSource, _ progress: (Step) -> Void
    ) async throws(CustodyError) -> [ShareLocation: Reached] {
        let seen = home.generations(of: name)
        do throws(SecureStorageError) { try onDisk(FolderCreation.make(seen)) } catch {
            throw .share(.device, .notMade(path: seen, error))
        }
        var reached: [ShareLocation: Reached] = [:]
        var states = [Self.state(of: book, isSame: isSame)]
        for share in wallet.sharesWithChipsLast {
            progress(.opening(.share(share.location)))
            // Of the same text in other bytes, those of the present passphrase have opened the book: an older vault needs them.
            let candidates = isSame ? [.old] : candidates(for: share, given: states)
            let found = try await reach(share, of: wallet, from: present, to: new, isSame: isSame, candidates, random)
            reached[share.location] = found
            states.append(found.state)
        }
        return reached
    }

    private static func state(of book: some PassphraseHolder, isSame: Bool) -> PassphraseChangePlan.State {
        .open(by: isSame ? .both : book.opener, slots: book.slotCount, isBound: false)
    }

    /// Returns the passphrases to try for a share file, in order.
    private func candidates(
        for share: ShareRecord, given states: [PassphraseChangePlan.State]
    ) -> [PassphraseOpener] {
        let isUntouched = states.allSatisfy { state in
            switch state {
            case .open(.old, 1, _), .readOnly(.old, _), .neither, .away, .stale: true
            case .open, .readOnly: false
            }
        }
        // As long as no other file has the new passphrase, one that can have one passphrase only has the old one.
        if share.device != nil, isUntouched { return [.old] }
        let isAhead = states.contains { state in
            switch state {
            case .open(.new, _, _), .readOnly(.new, _): true
            case .open, .readOnly, .neither, .away, .stale: false
            }
        }
        return isAhead ? [.new, .old] : [.old, .new]
    }

    private func reach(
        _ share: ShareRecord, of wallet: WalletRecord, from present: borrowing SecretBytes,
        to new: borrowing SecretBytes, isSame: Bool, _ candidates: [PassphraseOpener], _ random: some RandomSource
    ) async throws(CustodyError) -> Reached {
        let head: VaultHead
        do throws(SecureStorageError) { head = try VaultFile.head(ofFileAt: share.path) } catch {
            guard error == .notFound else { throw Self.unreadable(share, error) }
            return Reached(state: .away)
        }
        // The record of generations is read before the file is opened: its errors do not show that a medium is read only.
        do throws(SecureStorageError) {
            if let seen = try home.lastSeen(head.id, of: name), head.generation < seen { return Reached(state: .stale) }
        } catch { throw .share(share.location, .notMade(path: home.generations(of: name), error)) }
        var refusal: SecureStorageError?
        for candidate in candidates {
            let opening: Opening
            switch candidate {
            case .old: opening = try open(share, present, random)
            case .new, .both: opening = try open(share, new, random)
            }
            let (vault, isWritable): (VaultFile, Bool)
            switch opening {
            case .refused(let error):
                refusal = error
                continue
            case .stale: return Reached(state: .stale)
            case .writable(let opened): (vault, isWritable) = (opened, true)
            case .readOnly(let opened): (vault, isWritable) = (opened, false)
            }
            let sealed = try await SealedShare.read(share, of: wallet, from: vault)
            guard sealed.record.isSameWallet(as: wallet) else {
                throw .damagedWallet(
                    name: name.description,
                    reason: "wallet.json is not what was sealed with the \(share.location.name) share")
            }
            let (slots, isBound) = try await Self.slots(of: vault, share)
            let opener: PassphraseOpener =
                if isSame { .both } else if candidate == .old, slots > 1, try opens(share, new) {
                    .both
                } else { candidate }
            guard isWritable else {
                await vault.close()
                return Reached(state: .readOnly(by: opener, slots: slots))
            }
            return Reached(state: .open(by: opener, slots: slots, isBound: isBound), vault: vault)
        }
        // The chip's error has the number of attempts that are left.
        if let refusal, refusal != .wrongPassphrase { throw Self.unreadable(share, refusal) }
        return Reached(state: .neither)
    }

    private enum Opening {
        case writable(VaultFile)
        case readOnly(VaultFile)
        case stale
        case refused(SecureStorageError)
    }

    private func open(
        _ share: ShareRecord, _ passphrase: borrowing SecretBytes, _ random: some RandomSource
    ) throws(CustodyError) -> Opening {
        let isWritable = try Self.isWritable(share)
        do throws(SecureStorageError) {
            return isWritable
                ? .writable(
                    try VaultFile.open(
                        at: share.path, passphrase: passphrase, device: home.device,
                        freshness: .guarded(by: GenerationFolder(at: home.generations(of: name))), random: random,
                        access: .anyone, stretcher: .real))
                : .readOnly(
                    try VaultFile.openReadOnly(
                        at: share.path, passphrase: passphrase, device: home.device, freshness: .unchecked))
        } catch {
            if case .rolledBack = error { return .stale }
            guard error.isRefusedPassphrase else { throw Self.unreadable(share, error) }
            return .refused(error)
        }
    }

    /// Returns whether the lock of a share file can be taken: a medium that is read only refuses it. Errors of opening do
    /// not show that, because they may be those of the record of generations.
    private static func isWritable(_ share: ShareRecord) throws(CustodyError) -> Bool {
        do throws(SecureStorageError) {
            _ = try onDisk(FileLock(on: share.path))
            return true
        } catch {
            switch error {
            case .inputOutput, .insecureFile: return false
            default: throw unreadable(share, error)
            }
        }
    }

    /// Returns the number of passphrases of an open vault, and whether one of them needs a chip.
    private static func slots(
        of vault: VaultFile, _ share: ShareRecord
    ) async throws(CustodyError) -> (count: Int, isBound: Bool) {
        do throws(SecureStorageError) {
            let slots = try await vault.slots
            var isBound = false
            for slot in slots where try await vault.device(ofSlot: slot) != nil { isBound = true }
            return (slots.count, isBound)
        } catch { throw unreadable(share, error) }
    }

    /// Returns whether a passphrase opens a share file that needs no chip.
    private func opens(_ share: ShareRecord, _ passphrase: borrowing SecretBytes) throws(CustodyError) -> Bool {
        do throws(SecureStorageError) {
            _ = try VaultFile.openReadOnly(at: share.path, passphrase: passphrase, freshness: .unchecked)
            return true
        } catch {
            guard error.isRefusedPassphrase else { throw Self.unreadable(share, error) }
            return false
        }
    }

    private static func unreadable(_ share: ShareRecord, _ error: SecureStorageError) -> CustodyError {
        .share(share.location, .unreadable(path: share.path, error))
    }
}

// MARK: - Changing

extension PassphraseChange {
    private func change(
        _ shares: [ShareLocation: Reached], of wallet: WalletRecord, isSame: Bool, to new: borrowing SecretBytes,
        _ book: some PassphraseHolder, now: Int64, _ progress: (Step) -> Void
    ) async throws(CustodyError) -> Outcome {
        let states = wallet.shares.map { share in
            (file: PassphraseFile.share(share.location), state: shares[share.location]?.state ?? .away)
        }
        let plan: PassphraseChangePlan
        do throws(PassphraseChangePlan.Refusal) {
            plan = try PassphraseChangePlan(
                states + [(.book, Self.state(of: book, isSame: isSame))], isSame: isSame)
        } catch {
            switch error {
            case .neither(let file): throw .passphraseChange(.neither(path: try path(of: file, wallet, book)))
            case .nothingReachable: throw .passphraseChange(.nothingReachable)
            case .same: throw .passphraseChange(.same)
            }
        }
        let old = try home.journal(of: name)?.from.epoch
        var backlog = try home.passphraseBacklog(of: name)
        backlog.keep { $0.epoch == wallet.epoch || $0.epoch == old }
        // They are known to need the change, whatever an earlier run has listed.
        for case .share(let location) in plan.unwritable {
            backlog.insert(location, epoch: wallet.epoch, since: now)
        }
        if !plan.rekeyings.isEmpty {
            try await book.admit()
            if !plan.isCompletion { try noteUnreached(plan.unreached, of: wallet, in: &backlog, now: now) }
            // Before the first write: after an interruption these files must not be mistaken for damaged ones.
            try home.write(backlog, of: name)
            let vaults = shares.compactMapValues(\.vault)
            for file in plan.additions {
                progress(.adding(file))
                try await add(new, to: file, vaults, book, path(of: file, wallet, book))
            }
            for file in plan.additions {
                progress(.readingBack(file))
                try await readBack(new, of: file, book, path(of: file, wallet, book))
            }
            for file in plan.rekeyings {
                progress(.sealing(file))
                try await rekey(file, to: new, vaults, book, path(of: file, wallet, book))
                // Before the next file loses its old passphrase. After the first one, which decides which passphrase is the
                // wallet's, all others still have both.
                try await readBack(new, of: file, book, path(of: file, wallet, book))
            }
        }
        let unreached = Set(plan.unreached)
        backlog.keep { $0.epoch != wallet.epoch || unreached.contains(.share($0.location)) }
        do throws(CustodyError) { try home.write(backlog, of: name) } catch {
            guard case .file(let fault) = error, !plan.rekeyings.isEmpty else { throw error }
            throw .passphraseChange(.interrupted(path: home.backlogPath(of: name), SecureStorageError(fault)))
        }
        return Outcome(
            changed: plan.rekeyings, behind: behind(shares, plan.unwritable, of: wallet, by: backlog))
    }

    /// Adds the share files that the change does not reach to the list, with the old files of a renewal: their removal
    /// needs the passphrase of their time.
    private func noteUnreached(
        _ files: [PassphraseFile], of wallet: WalletRecord, in backlog: inout PassphraseBacklog, now: Int64
    ) throws(CustodyError) {
        for case .share(let location) in files { backlog.insert(location, epoch: wallet.epoch, since: now) }
        guard let journal = try home.journal(of: name) else { return }
        for share in journal.from.shares where !journal.lost.contains(share.location) {
            backlog.insert(share.location, epoch: journal.from.epoch, since: now)
        }
    }

    private func behind(
        _ shares: [ShareLocation: Reached], _ unwritable: [PassphraseFile], of wallet: WalletRecord,
        by backlog: PassphraseBacklog
    ) -> [Behind] {
        wallet.shares.compactMap { share in
            let isListed = backlog.since(share.location, wallet.epoch) != nil
            switch shares[share.location]?.state {
            case .stale: return Behind(share: share, obstacle: .olderCopy)
            case .readOnly where unwritable.contains(.share(share.location)):
                return Behind(share: share, obstacle: .readOnly)
            default: return isListed ? Behind(share: share, obstacle: .missing) : nil
            }
        }
    }

    private func path(
        of file: PassphraseFile, _ wallet: WalletRecord, _ book: some PassphraseHolder
    ) throws(CustodyError) -> String {
        switch file {
        case .book: book.path
        case .share(let location): try wallet.share(at: location).path
        }
    }

    private static func vault(of location: ShareLocation, in vaults: [ShareLocation: VaultFile]) -> VaultFile {
        guard let vault = vaults[location] else { preconditionFailure("the plan changes open files only") }
        return vault
    }

    private func add(
        _ new: borrowing SecretBytes, to file: PassphraseFile, _ vaults: [ShareLocation: VaultFile],
        _ book: some PassphraseHolder, _ path: String
    ) async throws(CustodyError) {
        do throws(SecureStorageError) {
            switch file {
            case .book: try await book.add(new)
            case .share(let location): try await Self.vault(of: location, in: vaults).addPassphrase(new)
            }
        } catch { throw .passphraseChange(.interrupted(path: path, error)) }
    }

    private func rekey(
        _ file: PassphraseFile, to new: borrowing SecretBytes, _ vaults: [ShareLocation: VaultFile],
        _ book: some PassphraseHolder, _ path: String
    ) async throws(CustodyError) {
        do throws(SecureStorageError) {
            switch file {
            case .book: try await book.rekey(to: new)
            case .share(let location): try await Self.vault(of: location, in: vaults).rekey(to: new)
            }
        } catch { throw .passphraseChange(.interrupted(path: path, error)) }
    }

    private func readBack(
        _ new: borrowing SecretBytes, of file: PassphraseFile, _ book: some PassphraseHolder, _ path: String
    ) async throws(CustodyError) {
        do throws(SecureStorageError) {
            switch file {
            case .book: try await book.readBack(new)
            case .share:
                await
                    (try VaultFile.openReadOnly(
                        at: path, passphrase: new, device: home.device, freshness: .unchecked)).close()
            }
        } catch { throw .passphraseChange(.interrupted(path: path, error)) }
    }
}
