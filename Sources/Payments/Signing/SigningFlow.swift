internal import Bitcoin
internal import Ceremonies
public import Custody
internal import Ethereum
public import Secrets
internal import Synchronization
public import Wallet

/// The way of everything that a wallet signs with shares in files of this machine: proposed, confirmed, admitted by the book, signed by
/// each participant for itself.
///
/// The wallet's book is open and the shares are closed until something is signed. One flow at a time has the book: close it, or drop
/// the flow, when there is nothing more to sign.
///
/// ```swift
/// let proposal = try await flow.propose(payload)
/// guard await ask(proposal.intent, proposal.decision) else { return }
/// let signed = try await flow.sign(proposal.confirmed(proposal.intent.digest, accepting: []))
/// ```
public final class SigningFlow: Sendable {
    /// The wallet that signs.
    public let wallet: WalletRecord
    /// The wallet's journal, policy and contacts.
    public let book: WalletBook
    /// The shares that sign: as many as the threshold.
    public let shares: [ShareLocation]
    /// Whether nothing is signed, sent or written: what would be signed is only proposed.
    public let isRehearsal: Bool
    let home: WalletHome
    let now: @Sendable () -> UInt64
    let clock: any Clock<Duration>
    let report: PaymentListener
    private let passphrase: SecretBytes
    private let approvals: [Approval]
    private let steps: any UninterruptedSteps
    private let random: any RandomSource
    /// Whether the book was closed for a long wait.
    private let isBookReleased = Mutex(false)

    /// Opens the wallet's book. Another program may have it for a moment: then it is tried for some seconds.
    ///
    /// - Parameters:
    ///   - passphrase: the wallet's.
    ///   - shares: those that sign; none of them is opened yet.
    ///   - approvals: for what is signed here, as approvers gave them.
    ///   - isRehearsal: to propose only.
    ///   - now: in seconds since 1970.
    ///   - clock: what pauses are measured with.
    ///   - random: for nonces and sessions.
    ///   - steps: what keeps the process alive while a session signs.
    ///   - report: what hears how it goes.
    /// - Throws: ``PaymentError/custody(_:)`` if the book cannot be opened.
    public static func open(
        _ wallet: WalletRecord, in home: WalletHome, passphrase: consuming SecretBytes, shares: [ShareLocation],
        approvals: [Approval] = [], isRehearsal: Bool = false, now: @escaping @Sendable () -> UInt64,
        clock: any Clock<Duration> = ContinuousClock(), random: any RandomSource = SystemRandom(),
        steps: any UninterruptedSteps = UnprotectedSteps(), report: @escaping PaymentListener = { _ in }
    ) async throws(PaymentError) -> SigningFlow {
        let book = try await home.book(
            of: wallet, passphrase: passphrase, attempts: PaymentLimits.bookAttempts, clock: clock)
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

    // MARK: - Signing

    /// Judges what signing a payload does, in the context that the book knows.
    ///
    /// - Parameters:
    ///   - node: what a node says of it, where one was asked: then the payload was planned here.
    ///   - findings: what the person should know beside what can be read from the bytes.
    ///   - order: the order that it is an attempt at.
    ///   - isFurther: whether it is a payment beside all earlier ones of the order.
    /// - Throws: ``PaymentError/custody(_:)``.
    public func propose(
        _ payload: SigningPayload, node: NodeView? = nil, findings: [PaymentFinding] = [],
        for order: OrderIdentity? = nil, isFurther: Bool = false
    ) async throws(PaymentError) -> ProposedSigning {
        try await propose(
            payload, node: node, findings: findings, for: order, isFurther: isFurther,
            plannedAfter: await book.lastNumber())
    }

    /// - Parameter mark: the newest entry of the book that was known when it was planned.
    func propose(
        _ payload: SigningPayload, node: NodeView?, findings: [PaymentFinding], for order: OrderIdentity?,
        isFurther: Bool, plannedAfter mark: UInt64
    ) async throws(PaymentError) -> ProposedSigning {
        let now = now()
        return try await attempt { () async throws(CustodyError) in
            if !isRehearsal { try await book.notice(now: now) }
            let policy = try await book.policy()
            let work = try wallet.work(of: payload)
            let digest = work.intent.digest
            let context = try await book.context(
                for: payload, digest: digest, now: now, approvals: approvals, node: node)
            let conflictSet = try ConflictSet(of: payload, for: wallet.accounts)
            let history = await book.history()
            var findings = findings
            if !findings.contains(where: \.isRepetition),
                let recent = PaymentFinding(recentlyPaid: work.intent, taking: conflictSet, in: history, now: now)
            {
                findings.append(recent)
            }
            if let replaced = PaymentFinding(
                replacedBy: work.intent, taking: conflictSet, for: order, isFurther: isFurther, in: history)
            {
                findings.append(replaced)
            }
            let judged = ProposedPayload(
                work, from: wallet, under: policy, in: context, findings: findings.map(\.finding))
            return ProposedSigning(
                judged: judged, findings: findings,
                ignoredApprovals: IgnoredApproval.all(among: approvals, for: digest, under: policy, judged.decision),
                order: order, node: node, time: now, mark: mark)
        }
    }

    /// Checks that the files of the shares are there, and that the passphrase is theirs: before a person reads and confirms.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func requireShares() async throws(PaymentError) {
        try await attempt { () async throws(CustodyError) in
            try wallet.requireFiles(of: shares)
            try await book.requirePassphrase()
        }
    }

    /// Keeps in the book what the policy allows only later, or with an approval. Its delay counts from the first time.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func hold(_ proposal: ProposedSigning) async throws(PaymentError) {
        try await attempt { [book] () async throws(CustodyError) in
            try await book.propose(
                proposal.payload, digest: proposal.intent.digest, now: proposal.time, for: proposal.order)
        }
    }

    /// Opens the shares, and has their participants sign. The book has the signature when this returns.
    ///
    /// - Throws: ``PaymentError/custody(_:)``; with `BookFault.attemptedMeanwhile(id:)` where another attempt at the same order, or a
    ///   transaction that conflicts with this one, was admitted since it was planned: plan the order anew. If no part of a signature has left, nothing counts against limits.
    public func sign(_ confirmed: ConfirmedSigning) async throws(PaymentError) -> SignedProposal {
        precondition(!isRehearsal, "a rehearsal signs nothing")
        // The question may have been open for a day: what is signed now counts from now.
        let authorizer = book.authorizer(
            now: max(confirmed.time, now()), approvals: approvals, node: confirmed.node, for: confirmed.order,
            plannedAfter: confirmed.mark)
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

    /// Opens one share. For ECDSA its file stays open, to write into it what must not be forgotten.
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

    // MARK: - The book behind a wait

    /// Closes the book for a long wait: meanwhile another program may sign, as one that speeds up what is waited for.
    func releaseBook() async {
        isBookReleased.withLock { $0 = true }
        await book.close()
    }

    /// Does something with the book, opened anew if it was closed for a wait.
    func withBook<Value: Sendable>(
        _ body: @Sendable (WalletBook) async throws(CustodyError) -> Value
    ) async throws(PaymentError) -> Value {
        guard isBookReleased.withLock(\.self) else {
            return try await attempt { [book] () async throws(CustodyError) in try await body(book) }
        }
        return try await home.withBook(
            of: wallet, passphrase: passphrase, attempts: PaymentLimits.bookAttemptsAfterWait, clock: clock, body)
    }

    func note(_ outcome: HistoryEntry.Outcome, of digest: [UInt8]) async throws(PaymentError) {
        try await withBook { (book) throws(CustodyError) in try await book.note(outcome, of: digest) }
    }

    /// What else the wallet has signed that cannot happen beside an entry, with the entry; nothing where the book cannot be read.
    func alternatives(to digest: [UInt8]) async -> [HistoryEntry] {
        let history = try? await withBook { (book) throws(CustodyError) in await book.history() }
        guard let history, let entry = history.first(where: { $0.digest == digest }) else { return [] }
        return [entry] + entry.alternatives(in: history)
    }

    /// Writes down that the caller has the result of a payment: from now on the same order is another payment. Call it after the
    /// result is where it cannot be lost.
    ///
    /// Where that cannot be written, the same order finds this payment once more, which costs nothing.
    public func acknowledge(_ digest: [UInt8]) async {
        do throws(PaymentError) {
            try await withBook { (book) throws(CustodyError) in try await book.acknowledge(digest) }
        } catch {
            report(.acknowledgementUnnoted(error))
        }
    }
}

/// What was confirmed, signed, each signature verified.
public struct SignedProposal: Sendable {
    /// What was asked for, with its signatures.
    public let product: SigningProduct
    /// What went wrong when all signatures were there, and takes nothing from them.
    public let warnings: [CustodyError]
    /// `Intent.digest` of what was confirmed.
    public let digest: [UInt8]
}

/// Keeps the process alive while a step runs that must come to its end.
///
/// A session of ECDSA that is killed stays counted in the share's file: it cannot be told from one that a cheater broke off.
public protocol UninterruptedSteps: Sendable {
    func run<Value: Sendable>(
        _ body: @Sendable () async throws(CustodyError) -> Value
    ) async throws(CustodyError) -> Value
}

/// Runs a step as it is: for processes that nobody interrupts.
public struct UnprotectedSteps: UninterruptedSteps {
    public init() {}

    public func run<Value: Sendable>(
        _ body: @Sendable () async throws(CustodyError) -> Value
    ) async throws(CustodyError) -> Value { try await body() }
}

extension SigningCounts {
    /// Whether so many attempts came to nothing that a person should know, while the share still signs.
    fileprivate var isAlarming: Bool { unfinished >= Self.alarming || failed >= Self.alarming }
}

extension HistoryEntry.Outcome {
    /// What the book keeps of a signature.
    fileprivate static func signed(_ product: SigningProduct) -> HistoryEntry.Outcome {
        switch product {
        case .bitcoinTransaction(let psbt):
            // Signed in part, it has no witnesses yet; its name is the same.
            .signed(
                id: psbt.unsignedTransaction.id.description,
                bytes: (try? psbt.finalised().transaction())?.encoded ?? [])
        case .ethereumTransaction(let transaction): .signed(id: transaction.name, bytes: transaction.encoded)
        case .ethereumMessage, .bitcoinMessage: .signed(id: nil, bytes: [])
        }
    }
}
