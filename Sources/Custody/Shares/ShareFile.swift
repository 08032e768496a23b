public import Ceremonies
internal import Files
public import Secrets
internal import SecureStorage
public import Threshold
internal import ThresholdECDSA
internal import Time

/// A share file that is open for ECDSA signing, with the file of counts beside it: bans, unfinished sessions, and
/// failed signatures. These are stored before the participant does anything else.
///
/// A participant calls ``share()``, ``begin(with:)``, ``charge(_:)`` before it examines a peer's oblivious transfer,
/// ``check(_:)`` before each message leaves, and then ``refund(_:)``, ``fail(_:)``, ``ban(_:)`` or nothing. A session
/// that is killed after its charge stays counted, so that every attempt costs one.
///
/// Both files must be writable, and are locked while this is open: no other process has sessions with the share.
/// Several participants in this process may use it.
public actor ShareFile: SigningLedger {
    /// The share's place, by the name that the user uses.
    public nonisolated let location: ShareLocation

    private let wallet: WalletRecord
    private let place: ShareRecord
    private let vault: VaultFile
    private let freshness: Freshness
    private let random: any RandomSource
    /// The file of the counts. It exists from the first charged session or the first ban on.
    private var countsFile: SigningCountsFile?
    /// The counts as they are on the disk.
    private var counts = SigningCounts()
    /// Whether the share names ``countsFile``.
    private var isNamed = false
    /// The peers whose pairs are destroyed in the share.
    private var destroyed: Set<ParticipantIndex> = []
    /// Whether the share has no pairs because it is of an older format.
    private var isOutdated = false

    /// Held by the call that writes. Other calls wait for its end: an actor starts the next call while one waits for
    /// the disk, and two calls that read before either has written would undo each other's change, even a ban.
    private let lock = AsyncLock()

    /// The sessions that have begun and not ended, by the numbers of their attempts.
    private var sessions: [Int: Session] = [:]
    private var lastAttempt = 0
    /// The peers that were banned through this instance: sessions may still have copies of their pairs.
    private var banned: Set<ParticipantIndex> = []

    private struct Session {
        /// Nil when its participant has ended without a report, by an error or because it was dropped: the session
        /// stays counted.
        weak var attempt: SigningAttempt?
        var isCharged = false
        /// Whether the end of the session is being stored.
        var isEnding = false
    }

    private init(
        _ place: ShareRecord, of wallet: WalletRecord, vault: VaultFile, freshness: Freshness,
        random: some RandomSource
    ) {
        location = place.location
        self.place = place
        self.wallet = wallet
        self.vault = vault
        self.freshness = freshness
        self.random = random
    }

    /// Opens a share file and the file of its counts, if there is one, for reading and writing.
    ///
    /// A copy of either file that is older than the last one on this machine is refused: it could lack a ban.
    ///
    /// - Parameter wallet: the description that says where the file is.
    /// - Throws: ``ShareFault/missing(path:place:)``, ``ShareFault/countsMissing(path:)``,
    ///   ``ShareFault/unreadable(path:_:)``, ``ShareFault/behind(path:since:)``, ``ShareFault/notWritable(path:_:)``,
    ///   ``ShareFault/foreign(path:)``, ``ShareFault/foreignCounts(path:)``,
    ///   ``ShareFault/otherEpoch(path:found:wallet:)``.
    public static func open(
        _ location: ShareLocation, of wallet: WalletRecord, in home: WalletHome, passphrase: borrowing SecretBytes,
        random: some RandomSource
    ) async throws(CustodyError) -> ShareFile {
        let place = try wallet.share(at: location)
        let seen = home.generations(of: wallet.name)
        let freshness = Freshness.guarded(by: GenerationFolder(at: seen))
        let vault: VaultFile
        do throws(SecureStorageError) {
            try onDisk(FolderCreation.make(seen))
            vault = try VaultFile.open(
                at: place.path, passphrase: passphrase, device: home.device, freshness: freshness, random: random,
                access: .anyone, stretcher: .real)
        } catch .notFound {
            throw .share(location, .missing(path: place.path, place: MissingPlace(of: place.path)))
        } catch {
            throw home.explained(Self.fault(error, location, path: place.path), of: wallet)
        }
        let file = ShareFile(place, of: wallet, vault: vault, freshness: freshness, random: random)
        do { try await file.takeUp() } catch {
            await file.close()
            throw error
        }
        return file
    }

    private static func fault(
        _ error: SecureStorageError, _ location: ShareLocation, path: String
    ) -> CustodyError {
        switch error {
        case .inputOutput, .diskFull, .insecureFile: .share(location, .notWritable(path: path, error))
        default: .share(location, .unreadable(path: path, error))
        }
    }

    /// Reads the counts, and repeats what did not reach the share: the name of the counts' file, or a ban.
    private func takeUp() async throws(CustodyError) {
        let sealed = try await SealedShare.read(place, of: wallet, from: vault)
        destroyed = Set(sealed.keys.ecdsa.banned)
        isOutdated = sealed.keys.ecdsa.isOutdated
        // A share in an older format has its counts in itself.
        if let counts = sealed.counts { self.counts = counts }
        let path = SigningCountsFile.path(of: place)
        do throws(SecureStorageError) {
            let file = try SigningCountsFile.open(place, of: sealed.keys, freshness: freshness, random: random)
            countsFile = file
            counts.merge(try await file.load())
        } catch .notFound {
            if sealed.countsID != nil { throw .share(location, .countsMissing(path: path)) }
            return
        } catch .wrongPassphrase {
            // The counts' key is derived from the share, not typed by a user.
            throw .share(location, .foreignCounts(path: path))
        } catch {
            throw Self.fault(error, location, path: path)
        }
        // If the share does not name the file, a crash came between the two writes, or the share is an older copy. The
        // counts are valid in both cases.
        isNamed = sealed.countsID != nil
        guard !isNamed || countsFile?.id == sealed.countsID else { throw .share(location, .foreignCounts(path: path)) }
        if !isUpToDate { try await writeBoth() }
    }

    /// Returns the share as it is in the file now.
    ///
    /// - Throws: ``ShareFault/unreadable(path:_:)``, ``ShareFault/foreign(path:)``.
    public func share() async throws(CustodyError) -> SealedShare {
        var sealed = try await SealedShare.read(place, of: wallet, from: vault)
        sealed.counts = counts
        return sealed
    }

    /// Begins an ECDSA session. It is counted only when it is charged.
    ///
    /// - Parameter signers: all signers of the session.
    /// - Throws: `CeremonyError.port(_:)` with ``ShareFault/outdated(path:)``, ``ShareFault/tooManyUnfinishedSignatures(limit:)``,
    ///   ``ShareFault/tooManyFailedSignatures(limit:)``, and `CeremonyError.threshold(_:)` with
    ///   `ThresholdError.banned(_:)`: also for a copy of the share from before the ban.
    public func begin(with signers: [ParticipantIndex]) throws(CeremonyError) -> SigningAttempt {
        do throws(CustodyError) {
            guard !isOutdated else { throw .share(location, .outdated(path: place.path)) }
            if let peer = signers.first(where: banned.union(destroyed).union(counts.banned).contains) {
                throw .ceremony(.threshold(.banned(peer)))
            }
            try requireRoom(in: counts)
        } catch { throw error.throughPort }
        sessions = sessions.filter { $0.value.attempt != nil }
        lastAttempt += 1
        let attempt = SigningAttempt(number: lastAttempt, signers: signers)
        sessions[lastAttempt] = Session(attempt: attempt)
        return attempt
    }

    /// Counts a session, at the first call for it. All running sessions are counted, so that together they cannot
    /// exceed a limit either.
    ///
    /// - Throws: as ``begin(with:)`` and ``check(_:)``, and `CeremonyError.port(_:)` with
    ///   ``ShareFault/notWritable(path:_:)``: the session must not continue then. If the counts were written and the
    ///   share was not, the session is counted, and charging it again only writes the share.
    public func charge(_ attempt: SigningAttempt) async throws(CeremonyError) {
        try check(attempt)
        await lock.lock()
        defer { lock.unlock() }
        // Another session can have been counted, or have banned a signer, while this one waited.
        try check(attempt)
        do throws(CustodyError) {
            if sessions[attempt.number]?.isCharged == false {
                try requireRoom(in: counts)
                var next = counts
                next.unfinished += 1
                try await store(next)
                sessions[attempt.number]?.isCharged = true
            }
            try await updateShare()
        } catch { throw error.throughPort }
    }

    /// Reserves room for the case that every charged session fails.
    private func requireRoom(in counts: SigningCounts) throws(CustodyError) {
        guard counts.unfinished < Limits.unfinishedSignatures else {
            throw .share(location, .tooManyUnfinishedSignatures(limit: Limits.unfinishedSignatures))
        }
        let canFail = sessions.values.count { $0.isCharged && $0.attempt != nil }
        guard counts.failed + canFail < Limits.failedSignatures else {
            throw .share(location, .tooManyFailedSignatures(limit: Limits.failedSignatures))
        }
    }

    /// Checks whether a session may continue. Call it before each of its messages leaves.
    ///
    /// - Throws: `CeremonyError.threshold(_:)` with `ThresholdError.banned(_:)` if one of its signers was banned after it
    ///   began, `CeremonyError.staleMessage` if it is over.
    public func check(_ attempt: SigningAttempt) throws(CeremonyError) {
        if let peer = attempt.signers.first(where: banned.contains) { throw .threshold(.banned(peer)) }
        guard sessions[attempt.number]?.isEnding == false else { throw .staleMessage }
    }

    /// Ends a session that made its signatures, or was given up in time, and takes its count back. The session ends
    /// even if this throws.
    ///
    /// - Throws: `CeremonyError.port(_:)` with ``ShareFault/notWritable(path:_:)``, and the errors of ``check(_:)``:
    ///   the session stays counted. The signatures are valid in any case.
    public func refund(_ attempt: SigningAttempt) async throws(CeremonyError) {
        try await end(attempt) { $0.unfinished -= 1 }
    }

    /// Ends a session whose signature failed although every check passed, and counts it as a failed signature instead.
    ///
    /// - Throws: as ``refund(_:)``: the session stays counted as unfinished.
    public func fail(_ attempt: SigningAttempt) async throws(CeremonyError) {
        try await end(attempt) { counts in
            counts.unfinished -= 1
            counts.failed += 1
        }
    }

    /// Ends a charged session, and changes the counts.
    ///
    /// - Parameter change: the change to the counts of a charged session. The share need not follow it now: the next
    ///   charge updates it.
    private func end(_ attempt: SigningAttempt, _ change: (inout SigningCounts) -> Void) async throws(CeremonyError) {
        do { try check(attempt) } catch {
            // With a banned signer the session is over, too. It stays counted, and can no longer fail.
            if sessions[attempt.number]?.isEnding == false { sessions[attempt.number] = nil }
            throw error
        }
        sessions[attempt.number]?.isEnding = true
        defer { sessions[attempt.number] = nil }
        await lock.lock()
        defer { lock.unlock() }
        // Checked only now: a charge of the same session can have been under way.
        guard sessions[attempt.number]?.isCharged == true else { return }
        var next = counts
        change(&next)
        do { try await store(next) } catch { throw error.throughPort }
    }

    /// Destroys this share's data about a participant that cheated (`ThresholdError.cheating(by:)`), until the next
    /// renewal, and ends the sessions with it. Call it before anything else, and before the error is reported.
    ///
    /// - Throws: `CeremonyError.threshold(_:)` for a participant that the wallet does not have, or this one itself;
    ///   `CeremonyError.port(_:)` with ``ShareFault/notWritable(path:_:)``, and the sessions are over even then.
    public func ban(_ peer: ParticipantIndex) async throws(CeremonyError) {
        // Sessions end at once: they must not continue while this call waits for the disk.
        guard peer != (try? ParticipantIndex(place.index)), (1...wallet.parameters.total).contains(peer.value) else {
            throw .threshold(.unknownParticipant(peer))
        }
        banned.insert(peer)
        do { try await writeBoth() } catch { throw error.throughPort }
    }

    /// Releases the locks, and ends all sessions. This instance can no longer be used.
    public func close() async {
        sessions = [:]
        await countsFile?.close()
        await vault.close()
    }

    private func writeBoth() async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        try await store(counts)
        try await updateShare()
    }

    /// Writes the counts with all bans. A ban that could not be written is part of the next write.
    private func store(_ next: SigningCounts) async throws(CustodyError) {
        var next = next
        next.banned.formUnion(banned)
        let file: SigningCountsFile
        if let countsFile { file = countsFile } else { file = try await makeCountsFile() }
        do { try await file.store(next) } catch {
            throw .share(location, .notWritable(path: SigningCountsFile.path(of: place), error))
        }
        counts = next
    }

    /// Whether the share names the file of the counts, and has no pair of a banned peer.
    private var isUpToDate: Bool { isNamed && counts.banned.isSubset(of: destroyed) }

    /// Updates the share from the counts: it gets the name of a new file of counts, and loses the pairs of banned
    /// peers. After a crash or with a full disk, the next charge, ban or opening does it.
    private func updateShare() async throws(CustodyError) {
        guard let countsFile, !isUpToDate else { return }
        var sealed = try await SealedShare.read(place, of: wallet, from: vault)
        sealed.countsID = countsFile.id
        do throws(ThresholdError) {
            for peer in counts.banned { try sealed.keys.ecdsa.ban(peer) }
        } catch { throw .ceremony(.threshold(error)) }
        let bannedNow = Set(sealed.keys.ecdsa.banned)
        try await write(sealed)
        isNamed = true
        destroyed = bannedNow
    }

    private func makeCountsFile() async throws(CustodyError) -> SigningCountsFile {
        let sealed = try await SealedShare.read(place, of: wallet, from: vault)
        do throws(SecureStorageError) {
            let file = try SigningCountsFile.create(place, of: sealed.keys, freshness: freshness, random: random)
            countsFile = file
            return file
        } catch {
            throw .share(location, .notWritable(path: SigningCountsFile.path(of: place), error))
        }
    }

    private func write(_ sealed: consuming SealedShare) async throws(CustodyError) {
        let content: SecretBytes
        do { content = try sealed.encoded() } catch {
            throw .damagedWallet(name: wallet.name.description, reason: "its description cannot be written")
        }
        do throws(SecureStorageError) {
            try await vault.save(content, as: try SealedShare.itemName(place), attributes: .critical(.keyShare))
        } catch { throw .share(location, .notWritable(path: place.path, error)) }
    }
}
