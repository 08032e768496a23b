internal import Custody
public import Ethereum
public import Nodes
public import SigningSession
public import Wallet
internal import WalletBooks

/// The payments of one account of a wallet on Ethereum or an Ethereum-like chain. It plans them, checks for earlier
/// attempts, and replaces unconfirmed ones.
///
/// ```swift
/// let payments = EthereumPayments(flow, at: node)
/// switch try await payments.plan(EthereumOrder(paying: wei, to: address), fee: EthereumFee(ceiling: ceiling)) {
/// case .earlier(let payment): try await payments.conclude(payment)
/// case .fresh(let plan): …    // propose, ask, sign, deliver
/// }
/// ```
public struct EthereumPayments: Sendable {
    let flow: SigningFlow
    let node: EthereumNode
    /// The paying account in the wallet, from 0.
    public let account: UInt32
    /// The time for which the node may hide a transaction that is waited for.
    public let patience: Duration
    let report: PaymentListener

    /// Creates the payments of one account.
    ///
    /// - Parameters:
    ///   - flow: the signing flow. It stays open while its book is needed.
    ///   - node: a node of the chain.
    ///   - account: the paying account in the wallet.
    ///   - patience: the time, by the flow's clock, for which the node may hide a transaction that is waited for. Then
    ///     the wait ends with ``DeliveryFault/notShown(id:)``.
    ///   - report: the listener for events.
    public init(
        _ flow: SigningFlow, at node: EthereumNode, account: UInt32 = 0,
        patience: Duration = PaymentLimits.unseenOnEthereum, report: @escaping PaymentListener = { _ in }
    ) {
        self.report = report
        self.patience = patience
        self.flow = flow
        self.node = node
        self.account = account
    }

    /// The result of planning an order.
    public enum Planning: Sendable {
        /// An attempt at this order is signed, and may be mined, or is: ``conclude(_:untilMined:)`` reports its state.
        case earlier(EarlierEthereumPayment)
        /// A new transaction is planned.
        case fresh(PlannedEthereumPayment)
    }

    /// The values that a person may know better than a node.
    public struct Overrides: Sendable {
        /// The gas limit, in place of the node's estimate plus a fifth.
        public var gasLimit: UInt64?
        /// The nonce, in place of the next one.
        public var nonce: UInt64?

        /// Creates overrides.
        public init(gasLimit: UInt64? = nil, nonce: UInt64? = nil) {
            self.gasLimit = gasLimit
            self.nonce = nonce
        }
    }

    /// Plans a payment, unless it was already made.
    ///
    /// First it finds the states of the account's earlier transactions with unknown outcome, and sends those that the
    /// node does not have again.
    ///
    /// - Parameters:
    ///   - key: the caller's payment key. With a key the payment is made once, however often it is ordered; without,
    ///     the same payee and amount are the same payment until its result was acknowledged
    ///     (`SigningFlow.acknowledge(_:)`).
    ///   - isFurther: whether it is an additional payment beside all earlier ones of the order.
    ///   - mayResend: whether an earlier signed and unsent transaction, which comes first, is sent.
    ///   - findings: the caller's findings, such as those about a typed address.
    /// - Throws: ``PaymentError/nonce(_:)`` with ``NonceFault/unsent(_:)`` if `mayResend` is required;
    ///   ``PaymentError/duplicate(_:)``, ``PaymentError/token(_:)``, ``PaymentError/gas(_:)``,
    ///   ``PaymentError/ledger(_:)``, ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public func plan(
        _ order: EthereumOrder, key: PaymentKey? = nil, fee: EthereumFee, overriding overrides: Overrides = Overrides(),
        isFurther: Bool = false, mayResend: Bool = false, findings: [PaymentFinding] = []
    ) async throws(PaymentError) -> Planning {
        try await flow.step { () async throws(PaymentError) in
            try await planned(
                order, key: key, fee: fee, overriding: overrides, isFurther: isFurther, mayResend: mayResend,
                findings: findings)
        }
    }

    private func planned(
        _ order: EthereumOrder, key: PaymentKey?, fee: EthereumFee, overriding overrides: Overrides, isFurther: Bool,
        mayResend: Bool, findings: [PaymentFinding]
    ) async throws(PaymentError) -> Planning {
        let mark = await flow.book.lastNumber()
        var nonces = try await NonceManager(of: account, flow, on: node, report: report)
        let identity = order.identity(key: key, on: node.chain, account: account)
        let (attempts, proposals) = try await attempt { [book = flow.book] () async throws(CustodyError) in
            (try await book.attempts(at: identity), try await book.proposals(for: identity))
        }
        try await nonces.settle(mayResend, for: attempts, isOrderedAgain: true)
        if !isFurther, let earlier = try await earlier(order, attempts, identity, through: &nonces) {
            guard !flow.isRehearsal else { throw .duplicate(.rehearsal(id: earlier.transaction.name)) }
            report(.madeBefore(hasKey: key != nil))
            return .earlier(EarlierEthereumPayment(found: earlier, nonces: nonces))
        }
        try await order.checkTokens(of: nonces.address, on: node)
        let same = held(order, among: proposals)
        let reserved = attempts.last { $0.state == .reserved }?.nonce
        let planned = (same.map(\.nonce) + [reserved].compactMap(\.self)).first { !nonces.isTaken($0) }
        let bound = isFurther ? nil : try await unfinishedNonce(among: attempts, in: nonces)
        let nonce = try await nonces.nonce(overrides.nonce, planned: planned, bound: bound)
        let kept = same.first { $0.nonce == nonce }
        if kept == nil, let first = same.first?.nonce { report(.heldNumberIsTaken(first)) }
        let plan =
            if let kept {
                try await EthereumPlan(keeping: kept, payee: order.payee, from: nonces.address, fee: fee, on: node)
            } else {
                try await EthereumPlan(
                    order.call(from: nonces.address), payee: order.payee, nonce: nonce, gas: overrides.gasLimit,
                    fee: fee, on: node)
            }
        var found = findings + [order.finding].compactMap(\.self)
        if let repetition = try await repetition(of: plan.transaction, identity, in: nonces) {
            found.append(repetition)
        }
        found += nonces.findings(on: nonce, isNamed: overrides.nonce != nil)
        if let lag = try await attempt({ () async throws(NodeError) in try await node.lag() }) {
            found.append(.nodeSyncing(lag))
        }
        return .fresh(
            PlannedEthereumPayment(plan, account: account, findings: found, order: identity, mark: mark, nonces: nonces)
        )
    }

    /// Returns an attempt at this order in any state.
    private func earlier(
        _ order: EthereumOrder, _ attempts: [HistoryEntry], _ identity: OrderIdentity,
        through nonces: inout NonceManager
    ) async throws(PaymentError) -> DuplicateEthereumPayment? {
        if let earlier = try await DuplicateEthereumPayment.found(
            attempts, of: identity, isOrderedAgain: true, through: &nonces, now: flow.now())
        {
            return earlier
        }
        guard identity.key == nil else { return nil }
        // Attempts from before orders were recorded.
        let history = await flow.book.history()
        func isUnmarked(_ transaction: SignedEthereumTransaction) -> Bool {
            order.isDone(by: transaction.transaction)
                && history.last { $0.id == transaction.name }.map { $0.order == nil } ?? true
        }
        if let found = nonces.found.last(where: isUnmarked) { return .waiting(found) }
        return nonces.reverted.last { isUnmarked($0.transaction) }.map { .reverted($0.transaction, $0.receipt) }
    }

    /// Returns the nonce of attempts that may have been signed before their program ended, and whose bytes the book
    /// does not have. The new attempt gets the same nonce, so that at most one of all attempts can be mined. A
    /// cancellation is left out, since it pays no one.
    ///
    /// - Returns: nil if no such attempt may be mined yet.
    /// - Throws: ``PaymentError/duplicate(_:)`` if another transaction has the nonce.
    private func unfinishedNonce(
        among attempts: [HistoryEntry], in nonces: NonceManager
    ) async throws(PaymentError) -> UInt64? {
        let history = await flow.book.history()
        var bound: UInt64?
        for entry in attempts where entry.signedEthereumTransaction == nil && !entry.isCancellation {
            guard entry.state != .replaced, let nonce = entry.nonce else { continue }
            // The book has to know a mined replacement: otherwise it may be this very attempt.
            if !entry.isMined, entry.rival(in: history) != nil { continue }
            guard !entry.isMined, !nonces.isUsed(nonce), bound ?? nonce == nonce else {
                throw .duplicate(.unfinishedNonce(nonce))
            }
            if let other = nonces.waiting(with: nonce) { throw .duplicate(.rivalsWait([other.name])) }
            bound = nonce
        }
        return bound
    }

    /// Returns a finding, if the same payment is already on its way: a script that retries pays twice.
    private func repetition(
        of transaction: EthereumTransaction, _ identity: OrderIdentity, in nonces: NonceManager
    ) async throws(PaymentError) -> PaymentFinding? {
        if let refused = nonces.refused(like: transaction) { return .repeated(.refused, id: refused.name) }
        let now = flow.now()
        // A transaction with the same key is this payment, however old it is.
        let since = identity.key == nil ? now - min(now, PaymentLimits.duplicateSeconds) : 0
        return try await PossibleEthereumDuplicate(of: transaction, ordered: identity, since: since, in: nonces)?
            .finding
    }

    /// Returns the same payment's proposals in the book: another transaction would wait from the beginning.
    private func held(_ order: EthereumOrder, among proposals: [PendingProposal]) -> [EthereumTransaction] {
        proposals.compactMap { proposal in
            guard case .ethereumTransaction(let transaction, account) = proposal.payload,
                transaction.chainID == node.chain, order.isDone(by: transaction)
            else { return nil }
            return transaction
        }
    }
}

/// A planned Ethereum transaction, neither shown nor signed yet. Its nonces are those of the account at the time of
/// planning.
public struct PlannedEthereumPayment: Sendable {
    /// The unsigned transaction.
    public let transaction: EthereumTransaction
    /// The paying account in the wallet, from 0.
    public let account: UInt32
    /// The node's information about it.
    public let node: NodeView
    /// The facts that a person should know in addition to the transaction's bytes.
    public let findings: [PaymentFinding]
    let order: OrderIdentity?
    /// The newest entry of the book at the time of planning.
    let mark: UInt64
    let nonces: NonceManager

    init(
        _ plan: EthereumPlan, account: UInt32, findings: [PaymentFinding], order: OrderIdentity?, mark: UInt64,
        nonces: NonceManager
    ) {
        self.mark = mark
        transaction = plan.transaction
        node = plan.view
        self.account = account
        self.findings = findings
        self.order = order
        self.nonces = nonces
    }
}

/// An Ethereum payment that was ordered before, exactly like a new order.
public struct EarlierEthereumPayment: Sendable {
    let found: DuplicateEthereumPayment
    let nonces: NonceManager

    /// The signed transaction.
    public var transaction: SignedEthereumTransaction { found.transaction }
}

extension SigningFlow {
    /// Judges the effects of signing a planned payment.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func propose(_ payment: PlannedEthereumPayment) async throws(PaymentError) -> ProposedSigning {
        try await propose(
            .ethereumTransaction(payment.transaction, account: payment.account), node: payment.node,
            payment.findings, for: payment.order, isFurther: false, plannedAfter: payment.mark)
    }
}

extension DuplicateEthereumPayment {
    var transaction: SignedEthereumTransaction {
        switch self {
        case .waiting(let transaction), .told(let transaction, _), .mined(let transaction, _),
            .reverted(let transaction, _):
            transaction
        }
    }
}
