internal import Amounts
public import Custody
public import Ethereum
public import Nodes
public import Wallet

/// The payments of one account of a wallet on Ethereum, or a chain of its kind: planned, checked for an earlier attempt, and replaced.
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
    /// The wallet's account that pays, from 0.
    public let account: UInt32

    var report: PaymentListener { flow.report }

    /// Creates the payments of one account.
    ///
    /// - Parameters:
    ///   - flow: what signs. It stays open for as long as its book is needed.
    ///   - node: what is asked; it is on the chain that is paid on.
    ///   - account: which of the wallet's accounts pays.
    public init(_ flow: SigningFlow, at node: EthereumNode, account: UInt32 = 0) {
        self.flow = flow
        self.node = node
        self.account = account
    }

    /// What comes of an order.
    public enum Planning: Sendable {
        /// An attempt at this order is signed, and may be mined, or is: ``conclude(_:untilMined:)`` tells where it is.
        case earlier(EarlierEthereumPayment)
        /// A new transaction is planned.
        case fresh(PlannedEthereumPayment)
    }

    /// What a person may know better than a node.
    public struct Overrides: Sendable {
        /// The most gas that it may take, in place of what the node estimates and a fifth more.
        public var gasLimit: UInt64?
        /// Its number among the account's transactions, in place of the next one.
        public var nonce: UInt64?

        /// Names what the caller knows better.
        public init(gasLimit: UInt64? = nil, nonce: UInt64? = nil) {
            self.gasLimit = gasLimit
            self.nonce = nonce
        }
    }

    /// Plans a payment, unless it was made before.
    ///
    /// First it finds out what became of the account's earlier transactions of which that is not known, and hands to the node once more
    /// what it does not have.
    ///
    /// - Parameters:
    ///   - key: the caller's own. With one the payment is made once, however often it is ordered; without, the same payee and amount are
    ///     the same payment until its result was acknowledged (`SigningFlow.acknowledge(_:)`).
    ///   - isFurther: whether it is a payment beside all earlier ones of the order.
    ///   - mayResend: whether another transaction that was signed before and never sent, and comes first, is handed over.
    ///   - findings: what the caller found: of an address that was typed.
    /// - Throws: ``PaymentError/nonce(_:)`` with ``NonceFault/unsent(_:)`` where `mayResend` has to be said; ``PaymentError/duplicate(_:)``,
    ///   ``PaymentError/token(_:)``, ``PaymentError/gas(_:)``, ``PaymentError/ledger(_:)``, ``PaymentError/node(_:)``,
    ///   ``PaymentError/custody(_:)``.
    public func plan(
        _ order: EthereumOrder, key: PaymentKey? = nil, fee: EthereumFee, overriding overrides: Overrides = Overrides(),
        isFurther: Bool = false, mayResend: Bool = false, findings: [PaymentFinding] = []
    ) async throws(PaymentError) -> Planning {
        let mark = await flow.book.lastNumber()
        var nonces = try await NonceManager(of: account, flow, on: node)
        let identity = order.identity(key: key, on: node.chain, account: account)
        let (attempts, proposals) = try await attempt { [book = flow.book] () async throws(CustodyError) in
            (try await book.attempts(at: identity), try await book.proposals(for: identity))
        }
        try await nonces.settle(mayResend, for: attempts)
        if !isFurther, let earlier = try await earlier(order, attempts, identity, through: &nonces) {
            guard !flow.isRehearsal else { throw .duplicate(.rehearsal(id: earlier.transaction.name)) }
            report(.madeBefore(hasKey: key != nil))
            return .earlier(EarlierEthereumPayment(found: earlier, nonces: nonces))
        }
        try await order.checkTokens(of: nonces.address, on: node)
        let same = held(order, among: proposals)
        let reserved = attempts.last { $0.state == .reserved }?.nonce
        let planned = (same.map(\.nonce) + [reserved].compactMap(\.self)).first { !nonces.isTaken($0) }
        let nonce = try await nonces.nonce(overrides.nonce, planned: planned)
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
        return .fresh(
            PlannedEthereumPayment(plan, account: account, findings: found, order: identity, mark: mark, nonces: nonces)
        )
    }

    /// An attempt at this order, wherever it is.
    private func earlier(
        _ order: EthereumOrder, _ attempts: [HistoryEntry], _ identity: OrderIdentity,
        through nonces: inout NonceManager
    ) async throws(PaymentError) -> DuplicateEthereumPayment? {
        if let earlier = try await DuplicateEthereumPayment.found(
            attempts, of: identity, through: &nonces, now: flow.now())
        {
            return earlier
        }
        guard identity.key == nil else { return nil }
        // What was signed before orders were written down.
        let history = await flow.book.history()
        func isUnmarked(_ transaction: SignedEthereumTransaction) -> Bool {
            order.isDone(by: transaction.transaction)
                && history.last { $0.id == transaction.name }.map { $0.order == nil } ?? true
        }
        if let found = nonces.found.last(where: isUnmarked) { return .waiting(found) }
        return nonces.reverted.last { isUnmarked($0.transaction) }.map { .reverted($0.transaction, $0.receipt) }
    }

    /// A finding, if the same payment is on its way already: a script that tries again pays twice.
    private func repetition(
        of transaction: EthereumTransaction, _ identity: OrderIdentity, in nonces: NonceManager
    ) async throws(PaymentError) -> PaymentFinding? {
        if let refused = nonces.refused(like: transaction) { return .repeated(.refused, id: refused.name) }
        let now = flow.now()
        // What has the same key is this payment, however old it is.
        let since = identity.key == nil ? now - min(now, PaymentLimits.duplicateSeconds) : 0
        return try await EthereumTwin(of: transaction, ordered: identity, since: since, in: nonces)?.finding
    }

    /// The same payment, where it waits in the book for its time or for somebody's approval: another one would wait from the beginning.
    private func held(_ order: EthereumOrder, among proposals: [PendingProposal]) -> [EthereumTransaction] {
        proposals.compactMap { proposal in
            guard case .ethereumTransaction(let transaction, account) = proposal.payload,
                transaction.chainID == node.chain, order.isDone(by: transaction)
            else { return nil }
            return transaction
        }
    }
}

/// A transaction of Ethereum that is planned, and neither shown nor signed. It has the account's numbers as they were then.
public struct PlannedEthereumPayment: Sendable {
    /// The unsigned transaction.
    public let transaction: EthereumTransaction
    /// The wallet's account that pays, from 0.
    public let account: UInt32
    /// What the node says of it.
    public let node: NodeView
    /// What the person should know beside what can be read from the bytes.
    public let findings: [PaymentFinding]
    let order: OrderIdentity?
    /// The newest entry of the book that was known when it was planned.
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

/// A payment on Ethereum that was ordered before, exactly as one that is ordered now.
public struct EarlierEthereumPayment: Sendable {
    let found: DuplicateEthereumPayment
    let nonces: NonceManager

    /// The signed transaction.
    public var transaction: SignedEthereumTransaction { found.transaction }
}

extension SigningFlow {
    /// Judges what signing a planned payment does.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func propose(_ payment: PlannedEthereumPayment) async throws(PaymentError) -> ProposedSigning {
        try await propose(
            .ethereumTransaction(payment.transaction, account: payment.account), node: payment.node,
            findings: payment.findings, for: payment.order, isFurther: false, plannedAfter: payment.mark)
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
