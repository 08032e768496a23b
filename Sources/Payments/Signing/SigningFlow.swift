internal import Bitcoin
internal import Ceremonies
public import Custody
internal import Ethereum
public import Secrets
public import Wallet
public import WalletBooks

/// The signing of a wallet whose shares are files on this machine: a payload is proposed, confirmed, admitted by the
/// book, and signed by each participant independently.
///
/// The wallet's book is open, and the shares are closed until a payload is signed. One flow at a time has the book.
/// During the wait for a payment the flow releases the book, and its next step takes it again. Close the flow when
/// there is nothing more to sign.
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
    public let shares: [ShareLocation]
    /// Whether nothing is signed, sent or written: payloads are only proposed.
    public let isRehearsal: Bool
    let home: WalletHome
    let now: @Sendable () -> UInt64
    let clock: any Clock<Duration>
    let report: PaymentListener
    private let passphrase: SecretBytes
    private let approvals: [Approval]
    private let steps: any UninterruptedSteps
    private let random: any RandomSource
    private let lease: BookLease

    /// Opens the wallet's book. Another program may have it for a moment: then opening is retried for some seconds.
    ///
    /// - Parameters:
    ///   - passphrase: the wallet's passphrase.
    ///   - shares: the signing shares; none of them is opened yet.
    ///   - approvals: the approvals for the payloads that are signed here.
    ///   - isRehearsal: whether payloads are only proposed.
    ///   - now: returns the time in seconds since 1970.
    ///   - clock: the clock of the pauses.
    ///   - random: the random source for nonces and sessions, and for the book's file.
    ///   - steps: keeps the process alive while a session signs.
    ///   - report: the listener for events.
    /// - Throws: ``PaymentError/custody(_:)`` if the book cannot be opened.
    public static func open(
        _ wallet: WalletRecord, in home: WalletHome, passphrase: consuming SecretBytes, shares: [ShareLocation],
        approvals: [Approval] = [], isRehearsal: Bool = false, now: @escaping @Sendable () -> UInt64,
        clock: any Clock<Duration> = ContinuousClock(), random: any RandomSource = SystemRandom(),
        steps: any UninterruptedSteps = UnprotectedSteps(), report: @escaping PaymentListener = { _ in }
    ) async throws(PaymentError) -> SigningFlow {
        let book = try await home.book(
            of: wallet, passphrase: passphrase, attempts: PaymentLimits.bookAttempts, clock: clock, random: random)
        return SigningFlow(
            wallet, book, home, passphrase, shares, approvals, isRehearsal, now, clock, random, steps, report)
    }

    private init(
        _ wallet: WalletRecord, _ book: WalletBook, _ home: WalletHome, _ passphrase: consuming SecretBytes,
        _ shares: [ShareLocation], _ approvals: [Approval], _ isRehearsal: Bool,
        _ now: @escaping @Sendable () -> UInt64, _ clock: any Clock<Duration>, _ random: any RandomSource,
        _ steps: any UninterruptedSteps, _ report: @escaping PaymentListener
    ) {
        self.wallet = wallet
        self.book = book
        lease = BookLease(of: book)
        self.home = home
        self.passphrase = passphrase
        self.shares = shares
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
    /// Every later step throws ``PaymentError/flow(_:)`` with ``FlowFault/closed``. A wait in progress still finds its
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
    /// - Throws: ``PaymentError/custody(_:)``.
    public func propose(
        _ payload: SigningPayload, node: NodeView? = nil, findings: [PaymentFinding] = [],
        for order: OrderIdentity? = nil, isFurther: Bool = false, plannedAfter mark: UInt64? = nil
    ) async throws(PaymentError) -> ProposedSigning {
        try await step { () async throws(PaymentError) in
            let newest = await book.lastNumber()
            let context = SigningContext(
                now: now(), approvals: approvals, node: node, order: order, plannedAfter: mark ?? newest)
            return try await judge(payload, in: context, findings: findings, isFurther: isFurther)
        }
    }

    private func judge(
        _ payload: SigningPayload, in context: SigningContext, findings: [PaymentFinding], isFurther: Bool
    ) async throws(PaymentError) -> ProposedSigning {
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
            var findings = findings
            if !findings.contains(where: \.isRepetition),
                let recent = PaymentFinding(recentlyPaid: work.intent, taking: conflictSet, in: history, now: now)
            {
                findings.append(recent)
            }
            if let replaced = PaymentFinding(
                replacedBy: work.intent, taking: conflictSet, for: context.order, isFurther: isFurther, in: history)
            {
                findings.append(replaced)
            }
            if history.isEmpty, wallet.hasSigned { findings.append(.noHistory) }
            let judged = ProposedPayload(
                work, from: wallet, under: policy, in: judging, findings: findings.map(\.finding))
            return ProposedSigning(
                judged: judged, findings: findings,
                ignoredApprovals: IgnoredApproval.all(
                    among: context.approvals, for: digest, under: policy, judged.decision), context: context)
        }
    }

    /// Checks that the share files exist and that the passphrase opens them, before a person reads and confirms.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func requireShares() async throws(PaymentError) {
        try await step { () async throws(PaymentError) in
            try await attempt { () async throws(CustodyError) in
                try wallet.requireFiles(of: shares)
                try await book.requirePassphrase()
            }
        }
    }

    /// Writes a proposal into the book if the policy requires a delay or an approval. Its delay counts from the first
    /// time.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func hold(_ proposal: ProposedSigning) async throws(PaymentError) {
        try await step { () async throws(PaymentError) in
            try await attempt { [book] () async throws(CustodyError) in
                try await book.propose(
                    proposal.payload, digest: proposal.intent.digest, now: proposal.context.now,
                    for: proposal.context.order)
            }
        }
    }

    /// Opens the shares, and lets their participants sign. The book has the signature when this returns.
    ///
    /// - Throws: ``PaymentError/flow(_:)`` in a rehearsal; ``PaymentError/custody(_:)``; with
    ///   `BookFault.attemptedMeanwhile(id:)` if another attempt at the same order, or a conflicting transaction, was
    ///   admitted since it was planned: plan the order again. If no part of a signature has left, nothing counts for
    ///   limits.
    public func sign(_ confirmed: ConfirmedSigning) async throws(PaymentError) -> SignedProposal {
        guard !isRehearsal else { throw .flow(.rehearsal) }
        return try await step { () async throws(PaymentError) in try await signed(confirmed) }
    }

    private func signed(_ confirmed: ConfirmedSigning) async throws(PaymentError) -> SignedProposal {
        // The question may have been open for a day: the payload counts from now.
        var context = confirmed.context
        context.now = max(context.now, now())
        let authorizer = book.authorizer(in: context)
        let payload = confirmed.payload
        var participants: [any Participant] = []
        for share in shares {
            report(.openingShare(share))
            participants.append(try await participant(share, for: payload, authorizer))
        }
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
            try? await book.note(.failed, of: payload.digest)
            throw .custody(error)
        }
    }

    /// Opens one share. For ECDSA its file stays open, for records that must not be lost.
    private func participant(
        _ location: ShareLocation, for confirmed: ConfirmedPayload, _ authorizer: any SigningAuthorizer
    ) async throws(PaymentError) -> SigningParticipant {
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
    /// - Throws: ``PaymentError/flow(_:)`` after ``close()``; ``PaymentError/custody(_:)`` if another program keeps the
    ///   book.
    func step<Value>(_ body: () async throws(PaymentError) -> Value) async throws(PaymentError) -> Value {
        try await use(keeping: true, attempts: PaymentLimits.bookAttempts, body)
    }

    /// Uses the book during a wait or after it. The book is closed afterwards, unless another step needs it.
    func withBook<Value: Sendable>(
        _ body: @Sendable (WalletBook) async throws(CustodyError) -> Value
    ) async throws(PaymentError) -> Value {
        try await use(keeping: false, attempts: PaymentLimits.bookAttemptsAfterWait) {
            () async throws(PaymentError) in
            try await attempt { [book] () async throws(CustodyError) in try await body(book) }
        }
    }

    private func use<Value>(
        keeping isKept: Bool, attempts: Int, _ body: () async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        try await lease.begin(keeping: isKept) { [self] () async throws(PaymentError) in
            try await book.reopen(in: home, passphrase: passphrase, attempts: attempts, clock: clock, random: random)
        }
        do throws(PaymentError) {
            let value = try await body()
            await lease.end()
            return value
        } catch {
            await lease.end()
            throw error
        }
    }

    /// Releases the book for a long wait: meanwhile another program may sign, for example a speed-up.
    func lendBook() async { await lease.lend() }

    func note(_ outcome: HistoryEntry.Outcome, of digest: [UInt8]) async throws(PaymentError) {
        try await withBook { (book) throws(CustodyError) in try await book.note(outcome, of: digest) }
    }

    /// Returns the wallet's other signed transactions that conflict with an entry, including the entry; empty if the
    /// book cannot be read.
    func alternatives(to digest: [UInt8]) async -> [HistoryEntry] {
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
    func acknowledging(_ body: @Sendable (WalletBook) async throws(CustodyError) -> Void) async {
        do throws(PaymentError) { try await withBook(body) } catch {
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

/// A way to keep the process alive while a step runs that has to be completed.
///
/// An ECDSA session that is killed stays counted in the share file's counts: it cannot be distinguished from one that a
/// cheater interrupted.
public protocol UninterruptedSteps: Sendable {
    func run<Value: Sendable>(
        _ body: @Sendable () async throws(CustodyError) -> Value
    ) async throws(CustodyError) -> Value
}

/// Runs a step without protection: for processes that are not interrupted.
public struct UnprotectedSteps: UninterruptedSteps {
    public init() {}

    public func run<Value: Sendable>(
        _ body: @Sendable () async throws(CustodyError) -> Value
    ) async throws(CustodyError) -> Value { try await body() }
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
