public import Secrets
internal import SecureStorage
public import Threshold

/// The file of one share, held open to sign ECDSA with. What must not be forgotten is written into it before anything else
/// happens: who cheated, and how many sessions came to nothing.
///
/// A holder's order: ``share()``, ``begin(with:)``, the session with a ``check(_:)`` before each message leaves, and then
/// ``succeeded(_:)`` or ``ban(_:)`` or nothing. As a session is counted when it begins, one that is killed, or whose holder is
/// unplugged, is counted too: there are no free tries.
///
/// The file is locked while it is open: no other process has sessions with it. Several holders may have it in this one. It has
/// to be writable.
public actor ShareFile {
    /// Where the share lies, by the name a person uses for it.
    public nonisolated let location: ShareLocation

    private let wallet: WalletRecord
    private let place: ShareRecord
    private let vault: VaultFile

    /// Whether the file is being changed, and who waits until it is not. An actor takes up the next call while one waits for
    /// the disk, and two that read before either has written would undo each other: a ban, too.
    private var isChanging = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The sessions that have begun and not ended, by the numbers of their tickets.
    private var running: Set<Int> = []
    private var lastTicket = 0
    /// Who was banned through this: sessions may still have copies of what was kept of them.
    private var banned: Set<ParticipantIndex> = []

    private init(_ place: ShareRecord, of wallet: WalletRecord, vault: VaultFile) {
        location = place.location
        self.place = place
        self.wallet = wallet
        self.vault = vault
    }

    /// Opens the file of one share for reading and writing.
    ///
    /// An older copy of the file than this machine has seen is refused: it could know less of who cheated.
    ///
    /// - Parameter wallet: the description that says where the file is.
    /// - Throws: ``CustodyError/shareMissing(_:path:)``, ``CustodyError/shareUnreadable(_:path:_:)``,
    ///   ``CustodyError/shareNotWritable(_:path:_:)``, ``CustodyError/foreignShare(_:path:)``,
    ///   ``CustodyError/otherEpoch(_:path:found:wallet:)``.
    public static func open(
        _ location: ShareLocation, of wallet: WalletRecord, in home: WalletHome, passphrase: borrowing SecretBytes,
        random: some RandomSource
    ) async throws(CustodyError) -> ShareFile {
        let place = try wallet.share(at: location)
        let vault: VaultFile
        do throws(SecureStorageError) {
            let seen = home.generations(of: wallet.name)
            try FolderCreation.make(seen)
            vault = try VaultFile.open(
                at: place.path, passphrase: passphrase, freshness: .witnessed(GenerationFolder(at: seen)),
                random: random, access: .anyone, stretcher: .real)
        } catch {
            switch error {
            case .notFound: throw .shareMissing(location, path: place.path)
            case .inputOutput, .diskFull, .insecureFile:
                throw .shareNotWritable(location, path: place.path, error)
            default: throw .shareUnreadable(location, path: place.path, error)
            }
        }
        let file = ShareFile(place, of: wallet, vault: vault)
        do { _ = try await file.share() } catch {
            await file.close()
            throw error
        }
        return file
    }

    /// The share as it is in the file now.
    ///
    /// - Throws: ``CustodyError/shareUnreadable(_:path:_:)``, ``CustodyError/foreignShare(_:path:)``.
    public func share() async throws(CustodyError) -> SealedShare {
        try await SealedShare.read(place, of: wallet, from: vault)
    }

    /// Counts a session of ECDSA, before its first nonce is drawn. If this throws, there must be no session.
    ///
    /// - Parameter signers: all of them.
    /// - Throws: ``CustodyError/tooManyUnfinishedSignatures(_:limit:)``, ``CustodyError/shareNotWritable(_:path:_:)``, and
    ///   ``CustodyError/ceremony(_:)`` with ``ThresholdError/banned(_:)``: also for a copy of the share from before the ban.
    public func begin(with signers: [ParticipantIndex]) async throws(CustodyError) -> SigningTicket {
        try await changing { sealed throws(CustodyError) in
            // It would come to nothing, and must not use up what is left of the count.
            if let peer = sealed.keys.ecdsa.banned.first(where: signers.contains) { throw .ceremony(.banned(peer)) }
            guard sealed.unfinishedSignatures < Limits.unfinishedSignatures else {
                throw .tooManyUnfinishedSignatures(location, limit: Limits.unfinishedSignatures)
            }
            sealed.unfinishedSignatures += 1
        }
        lastTicket += 1
        running.insert(lastTicket)
        return SigningTicket(number: lastTicket, signers: signers)
    }

    /// Whether a session may go on: before each of its messages leaves.
    ///
    /// - Throws: ``CustodyError/ceremony(_:)`` with ``ThresholdError/banned(_:)`` if one of its signers was banned after it
    ///   began, ``CustodyError/staleMessage`` if it is over.
    public func check(_ ticket: SigningTicket) throws(CustodyError) {
        if let peer = ticket.signers.first(where: banned.contains) { throw .ceremony(.banned(peer)) }
        guard running.contains(ticket.number) else { throw .staleMessage }
    }

    /// Takes back the count of a session whose signatures all verify. It is over then, whatever comes of this.
    ///
    /// - Throws: ``CustodyError/shareNotWritable(_:path:_:)``, and what ``check(_:)`` throws: the session stays counted. The
    ///   signatures are good in any case.
    public func succeeded(_ ticket: SigningTicket) async throws(CustodyError) {
        try check(ticket)
        running.remove(ticket.number)
        try await changing { sealed in sealed.unfinishedSignatures -= 1 }
    }

    /// Destroys for good what is kept of a holder that cheated (``ThresholdError/cheating(by:)``), until the shares are renewed,
    /// and ends the sessions with it. Call it before anything else, and before anybody hears of it.
    ///
    /// - Throws: ``CustodyError/ceremony(_:)`` for a holder that the wallet does not have, or oneself;
    ///   ``CustodyError/shareNotWritable(_:path:_:)``: the sessions are over all the same.
    public func ban(_ peer: ParticipantIndex) async throws(CustodyError) {
        // At once: other sessions must not go on while this one waits for the disk.
        guard peer != (try? ParticipantIndex(place.index)), (1...wallet.parameters.total).contains(peer.value) else {
            throw .ceremony(.unknownParticipant(peer))
        }
        banned.insert(peer)
        try await changing { _ in }
    }

    /// Gives the lock back, and ends all sessions. The file cannot be used through this any more.
    public func close() async {
        running = []
        await vault.close()
    }

    /// Changes what is in the file, one change at a time.
    private func changing(
        _ change: (inout SealedShare) throws(CustodyError) -> Void
    ) async throws(CustodyError) {
        while isChanging { await withCheckedContinuation { waiting.append($0) } }
        isChanging = true
        defer {
            isChanging = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        var sealed = try await share()
        // A ban that could not be written is made up for by whatever is written next.
        for peer in banned {
            do throws(ThresholdError) { try sealed.keys.ecdsa.ban(peer) } catch { throw .ceremony(error) }
        }
        try change(&sealed)
        try await write(sealed)
    }

    private func write(_ sealed: consuming SealedShare) async throws(CustodyError) {
        let content: SecretBytes
        do { content = try sealed.encoded() } catch {
            throw .damagedWallet(name: wallet.name.description, reason: "its description cannot be written")
        }
        do throws(SecureStorageError) {
            try await vault.save(content, as: try SealedShare.itemName(place), attributes: .critical(.keyShare))
        } catch { throw .shareNotWritable(location, path: place.path, error) }
    }
}
