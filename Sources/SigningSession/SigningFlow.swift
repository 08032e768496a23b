internal import Bitcoin
internal import Ceremonies
public import Custody
internal import Ethereum
public import Secrets
public import Wallet
public import WalletBooks

/// The signing of a wallet: a payload is proposed, confirmed, admitted by the book, and signed by each participant
/// independently.
///
/// The shares are files on this machine, or are held elsewhere (``ParticipantSource``). The wallet's book is open, and
/// the shares are closed until a payload is signed. One flow at a time has the book. During the wait for a payment the
/// flow releases the book, and its next step takes it again. Close the flow when there is nothing more to sign.
///
/// ```swift
/// let proposal = try await flow.propose(payload)
/// guard await ask(proposal.intent, proposal.decision) else { return }
/// let signed = try await flow.sign(proposal.confirmed(proposal.intent.digest, accepting: []))
/// ```
public final class SigningFlow: Sendable {
    /// The wallet that signs.
    public let wallet: WalletRecord
    /// The wallet's book: history, policy and contacts.
    public let book: WalletBook
    /// The signing shares: a threshold of them.
    public var shares: [ShareLocation] { files + sources.map(\.location) }
    /// Whether nothing is signed, sent or written: payloads are only proposed.
    public let isRehearsal: Bool
    package let home: WalletHome
    package let now: @Sendable () -> UInt64
    package let clock: any Clock<Duration>
    private let files: [ShareLocation]
    private let sources: [any ParticipantSource]
    private let report: SigningListener
    private let passphrase: SecretBytes
    private let approvals: [Approval]
    private let steps: any UninterruptedSteps
    private let random: any RandomSource
    private let lease: BookLease

    /// Opens the wallet's book. Another program may have it for a moment: then opening is retried for some seconds.
    ///
    /// - Parameters:
    ///   - passphrase: the wallet's passphrase.
    ///   - shares: the signing shares whose files are on this machine; none of them is opened yet.
    ///   - sources: the signing shares that are held elsewhere.
    ///   - approvals: the approvals for the payloads that are signed here.
    ///   - isRehearsal: whether payloads are only proposed.
    ///   - now: returns the time in seconds since 1970.
    ///   - clock: the clock of the pauses.
    ///   - random: the random source for nonces and sessions, and for the book's file.
    ///   - steps: keeps the process alive while a session signs.
    ///   - report: the listener for events.
    /// - Throws: ``SigningError/custody(_:)`` if the book cannot be opened.
    public static func open(
        _ wallet: WalletRecord, in home: WalletHome, passphrase: consuming SecretBytes, shares: [ShareLocation],
        sources: [any ParticipantSource] = [], approvals: [Approval] = [], isRehearsal: Bool = false,
        now: @escaping @Sendable () -> UInt64, clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomSource = SystemRandom(), steps: any UninterruptedSteps = UnprotectedSteps(),
        report: @escaping SigningListener = { _ in }
    ) async throws(SigningError) -> SigningFlow {
        let book: WalletBook
        do throws(CustodyError) {
            book = try await home.book(
                of: wallet, passphrase: passphrase, attempts: Limits.bookAttempts, clock: clock, random: random)
        } catch { throw .custody(error) }
        return SigningFlow(
            wallet, book, home, passphrase, shares, sources, approvals, isRehearsal, now, clock, random, steps, report)
    }

    private init(
        _ wallet: WalletRecord, _ book: WalletBook, _ home: WalletHome, _ passphrase: consuming SecretBytes,
        _ files: [ShareLocation], _ sources: [any ParticipantSource], _ approvals: [Approval], _ isRehearsal: Bool,
        _ now: @escaping @Sendable () -> UInt64, _ clock: any Clock<Duration>, _ random: any RandomSource,
        _ steps: any UninterruptedSteps, _ report: @escaping SigningListener
    ) {
        self.wallet = wallet
        self.book = book
        lease = BookLease(of: book)
        self.home = home
        self.passphrase = passphrase
        self.files = files
        self.sources = sources
        self.approvals = approvals
        self.isRehearsal = isRehearsal
        self.now = now
        self.clock = clock
        self.random = random
        self.steps = steps
        self.report = report
    }

    /// Closes the flow and the wallet's book, when the steps in progress have ended. A second call changes nothing.
    ///
    /// Every later step throws ``SigningError/flow(_:)`` with ``FlowFault/closed``. A wait in progress still finds its
    /// result, but no longer writes it down. The passphrase is wiped when the flow is destroyed.
    public func close() async { await lease.close() }

    // MARK: - Signing

    /// Judges the effects of signing a payload, in the context of the book.
    ///
    /// - Parameters:
    ///   - node: the node's information, if a node was asked: then the payload was planned here.
    ///   - findings: the facts that a person should know in addition to the bytes.
    ///   - order: the order that it is an attempt at.
    ///   - isFurther: whether it is an additional payment beside all earlier ones of the order.
    ///   - mark: the newest entry of the book at the time of planning (`WalletBook.lastNumber()`); nil if it was not
    ///     planned: then that is now.
    /// - Throws: ``SigningError/custody(_:)``.
    public func propose(
        _ payload: SigningPayload, node: NodeView? = nil, findings: [Finding] = [],
        for order: OrderIdentity? = nil, isFurther: Bool = false, plannedAfter mark: UInt64? = nil
    ) async throws(SigningError) -> ProposedSigning {
        try await step { () async throws(SigningError) in
            let newest = await book.lastNumber()
            let context = SigningContext(
                now: now(), approvals: approvals, node: node, order: order, plannedAfter: mark ?? newest)
            return try await judge(payload, in: context, findings: findings, isFurther: isFurther)
        }
    }

    private func judge(
        _ payload: SigningPayload, in context: SigningContext, findings: [Finding], isFurther: Bool
    ) async throws(SigningError) -> ProposedSigning {
        try await attempt { () async throws(CustodyError) in
            let now = context.now
            if !isRehearsal { try await book.notice(now: now) }
            let policy = try await book.policy()
            // A person is not asked about a payload that cannot be signed.
            try await book.requireNonceRoom(for: payload)
            let work = try wallet.work(of: payload)
            let digest = work.intent.digest
            let judging = try await book.policyContext(for: payload, digest: digest, in: context)
            let conflictSet = try book.conflictSet(of: payload)
            let history = await book.history()
            let recent =
                findings.contains(where: \.isRepetition)
                ? nil : BookFinding(recentlyPaid: work.intent, taking: conflictSet, in: history, now: now)
            let replaced = BookFinding(
                replacedBy: work.intent, taking: conflictSet, for: context.order, isFurther: isFurther, in: history)
            let lost = history.isEmpty && wallet.hasSigned ? BookFinding.noHistory : nil
            let findings = findings + [recent, replaced, lost].compactMap(\.?.finding)
            let judged = ProposedPayload(work, from: wallet, under: policy, in: judging, findings: findings)
            return ProposedSigning(
                judged: judged, findings: findings,
                ignoredApprovals: IgnoredApproval.all(
                    among: context.approvals, for: digest, under: policy, judged.decision), context: context)
        }
    }

    /// Checks that the shares are a threshold, that the share files exist, and that the passphrase opens them, before a
    /// person reads and confirms.
    ///
    /// - Throws: ``SigningError/custody(_:)``.
    public func requireShares() async throws(SigningError) {
        try await step { () async throws(SigningError) in
            try await attempt { () async throws(CustodyError) in
                try wallet.requireThreshold(of: shares)
                try wallet.requireFiles(of: files)
                try await book.requirePassphrase()
            }
        }
    }

    /// Writes a proposal into the book if the policy requires a delay or an approval. Its delay counts from the first
    /// time.
    ///
    /// - Throws: ``SigningError/custody(_:)``.
    public func hold(_ proposal: ProposedSigning) async throws(SigningError) {
        try await step { () async throws(SigningError) in
            try await attempt { [book] () async throws(CustodyError) in
                try await book.propose(
                    proposal.payload, digest: proposal.intent.digest, now: proposal.context.now,
                    for: proposal.context.order)
            }
        }
    }

    /// Opens the shares, and lets their participants sign. The book has the signature when this returns.
    ///
    /// - Throws: ``SigningError/flow(_:)`` in a rehearsal; ``SigningError/custody(_:)``; with
    ///   `BookFault.attemptedMeanwhile(id:)` if another attempt at the same order, or a conflicting transaction, was
    ///   admitted since it was planned: plan the order again. If no part of a signature has left, nothing counts for
    ///   limits.
    public func sign(_ confirmed: ConfirmedSigning) async throws(SigningError) -> SignedProposal {
        guard !isRehearsal else { throw .flow(.rehearsal) }
        return try await step { () async throws(SigningError) in try await signed(confirmed) }
    }

    private func signed(_ confirmed: ConfirmedSigning) async throws(SigningError) -> SignedProposal {
        // The question may have been open for a day: the payload counts from now.
        var context = confirmed.context
        context.now = max(context.now, now())
        let authorizer = book.authorizer(in: context)
        let payload = confirmed.payload
        try await attempt { () throws(CustodyError) in try wallet.requireThreshold(of: shares) }
        // The files come last, so that their secrets are in memory for a shorter time.
        var participants: [any Participant] = []
        for source in sources { participants.append(try participant(of: source, for: payload)) }
        for share in files {
            report(.openingShare(share))
            participants.append(try await participant(share, for: payload, authorizer))
        }
        if files.isEmpty { try await admit(payload, by: authorizer) }
        report(.signing(shares))
        do throws(CustodyError) {
            let (book, ready, random) = (book, participants, random)
            let signed = try await steps.run { () async throws(CustodyError) in
                let signed: SignedPayload
                do throws(CeremonyError) { signed = try await payload.sign(with: ready, random: random) } catch {
                    throw CustodyError(error)
                }
                try await book.note(.signed(signed.product), of: payload.digest)
                return signed
            }
            return SignedProposal(
                product: signed.product, warnings: signed.warnings.map(CustodyError.init), digest: payload.digest)
        } catch {
            // The book knows whether a part of a signature has left a participant: then it counts.
            try? await authorizer.noteFailure(of: payload.digest)
            throw .custody(error)
        }
    }

    /// Makes the book admit a payload that no participant on this machine signs. It counts from now on: a signature may
    /// exist as soon as the other participants are asked.
    private func admit(
        _ confirmed: ConfirmedPayload, by authorizer: any SigningAuthorizer
    ) async throws(SigningError) {
        do throws(CeremonyError) {
            try await authorizer.admit(confirmed.work.payload, meaning: confirmed.work.intent)
        } catch { throw .custody(CustodyError(error)) }
        await authorizer.willSendSignature(of: confirmed.digest)
    }

    /// Returns the participant of a share that is held elsewhere.
    private func participant(
        of source: any ParticipantSource, for payload: ConfirmedPayload
    ) throws(SigningError) -> any Participant {
        let participant: any Participant
        do throws(CustodyError) { participant = try source.participant(for: payload) } catch { throw .custody(error) }
        guard participant.index == source.location.index else {
            throw .custody(.ceremony(.noSuchShare(index: participant.index)))
        }
        return participant
    }

    /// Opens one share. For ECDSA its file stays open, for records that must not be lost.
    private func participant(
        _ location: ShareLocation, for confirmed: ConfirmedPayload, _ authorizer: any SigningAuthorizer
    ) async throws(SigningError) -> SigningParticipant {
        try await attempt { () async throws(CustodyError) in
            guard confirmed.needsLedgers else {
                return try await home.open(location, of: wallet, passphrase: passphrase)
                    .participant(confirmed: confirmed.digest, authorizer: authorizer, ledger: nil, random: random)
            }
            let file = try await ShareFile.open(location, of: wallet, in: home, passphrase: passphrase, random: random)
            let share = try await file.share()
            if share.counts.map(\.isAlarming) ?? true { report(.shareWearsOut(location, share.counts)) }
            return share.participant(confirmed: confirmed.digest, authorizer: authorizer, ledger: file, random: random)
        }
    }

    // MARK: - The book

    /// Takes a step that needs the wallet's book, and opens it again if it was released for a wait.
    ///
    /// - Throws: ``SigningError/flow(_:)`` after ``close()``; ``SigningError/custody(_:)`` if another program keeps the
    ///   book.
    package func step<Value, Failure: SigningFailure>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await use(keeping: true, attempts: Limits.bookAttempts, body)
    }

    /// Uses the book during a wait or after it. The book is closed afterwards, unless another step needs it.
    func withBook<Value: Sendable>(
        _ body: @Sendable (WalletBook) async throws(CustodyError) -> Value
    ) async throws(SigningError) -> Value {
        try await use(keeping: false, attempts: Limits.bookAttemptsAfterWait) {
            () async throws(SigningError) in
            try await attempt { [book] () async throws(CustodyError) in try await body(book) }
        }
    }

    private func use<Value, Failure: SigningFailure>(
        keeping isKept: Bool, attempts: Int, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        do throws(SigningError) {
            try await lease.begin(keeping: isKept) { [self] () async throws(CustodyError) in
                try await book.reopen(
                    in: home, passphrase: passphrase, attempts: attempts, clock: clock, random: random)
            }
        } catch { throw Failure(error) }
        do throws(Failure) {
            let value = try await body()
            await lease.end()
            return value
        } catch {
            await lease.end()
            throw error
        }
    }

    /// Releases the book for a long wait: meanwhile another program may sign, for example a speed-up.
    package func lendBook() async { await lease.lend() }

    package func note(_ outcome: HistoryEntry.Outcome, of digest: [UInt8]) async throws(SigningError) {
        try await withBook { (book) throws(CustodyError) in try await book.note(outcome, of: digest) }
    }

    /// Returns the wallet's other signed transactions that conflict with an entry, including the entry; empty if the
    /// book cannot be read.
    package func alternatives(to digest: [UInt8]) async -> [HistoryEntry] {
        let history = try? await withBook { (book) throws(CustodyError) in await book.history() }
        guard let history, let entry = history.first(where: { $0.digest == digest }) else { return [] }
        return [entry] + entry.alternatives(in: history)
    }

    /// Records that the caller has the result of a payment: from now on the same order is another payment. Call it
    /// after the result is saved.
    ///
    /// If it cannot be recorded, the same order finds this payment again, which costs nothing.
    public func acknowledge(_ digest: [UInt8]) async {
        await acknowledging { (book) throws(CustodyError) in try await book.acknowledge(digest) }
    }

    /// Writes an acknowledgement into the book, and reports an error of it.
    package func acknowledging(_ body: @Sendable (WalletBook) async throws(CustodyError) -> Void) async {
        do throws(SigningError) { try await withBook(body) } catch {
            report(.acknowledgementUnnoted(error))
        }
    }
}

/// The confirmed payload, signed, with each signature verified.
public struct SignedProposal: Sendable {
    /// The payload with its signatures.
    public let product: SigningProduct
    /// The problems after signing, which do not affect the signatures.
    public let warnings: [CustodyError]
    /// The `Intent.digest` of the confirmed payload.
    public let digest: [UInt8]
}

extension SigningCounts {
    /// Whether the number of failed attempts requires a warning, while the share still signs.
    fileprivate var isAlarming: Bool { unfinished >= Self.alarming || failed >= Self.alarming }
}

extension HistoryEntry.Outcome {
    /// Returns the outcome that the book keeps of a signature.
    fileprivate static func signed(_ product: SigningProduct) -> HistoryEntry.Outcome {
        switch product {
        case .bitcoinTransaction(let psbt):
            // A partly signed transaction has no witnesses yet; its identifier is the same.
            .signed(
                id: psbt.unsignedTransaction.id.description,
                bytes: (try? psbt.finalised().transaction())?.encoded ?? [])
        case .ethereumTransaction(let transaction): .signed(id: transaction.name, bytes: transaction.encoded)
        case .ethereumMessage, .bitcoinMessage, .file: .signed(id: nil, bytes: [])
        }
    }
}
