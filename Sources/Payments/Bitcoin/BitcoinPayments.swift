internal import Amounts
public import Bitcoin
internal import Custody
public import Nodes
public import Wallet

/// A wallet's payments on Bitcoin: planned, checked for an earlier attempt, and replaced by better ones.
///
/// ```swift
/// let payments = BitcoinPayments(flow, at: node)
/// switch try await payments.plan(order, fee: BitcoinFee(ceiling: ceiling)) {
/// case .earlier(let transaction): try await payments.resend(transaction)
/// case .fresh(let plan): …    // propose, ask, sign, deliver
/// }
/// ```
public struct BitcoinPayments: Sendable {
    let flow: SigningFlow
    let chain: any BitcoinChain
    let reach: AddressReach

    var report: PaymentListener { flow.report }

    /// Creates a wallet's payments on Bitcoin.
    ///
    /// - Parameters:
    ///   - flow: what signs. It stays open for as long as its book is needed.
    ///   - chain: the node that is asked, on the wallet's network.
    ///   - reach: which addresses are looked at; by default the first ones, and those behind the last that this machine has shown.
    public init(_ flow: SigningFlow, at chain: any BitcoinChain, reach: AddressReach? = nil) {
        self.flow = flow
        self.chain = chain
        self.reach = reach ?? AddressReach(shown: flow.home.shownAddresses(of: flow.wallet))
    }

    /// What comes of an order.
    public enum Planning: Sendable {
        /// An attempt at this order is signed, and may be mined: ``resend(_:untilMined:)`` hands it over once more, or tells where it is.
        case earlier(UnconfirmedTransaction)
        /// A new transaction is planned.
        case fresh(PlannedBitcoinPayment)
    }

    // MARK: - A payment

    /// Plans a payment, unless it was made before.
    ///
    /// Without a key, the same payees and amounts are the same payment until its result was acknowledged
    /// (`SigningFlow.acknowledge(_:)`); with one, for as long as the book knows the key.
    ///
    /// - Parameters:
    ///   - coins: those that it spends.
    ///   - isFurther: whether it is a payment beside all earlier ones of the order.
    ///   - digest: `Intent.digest` of the transaction that the caller expects; nil for any.
    /// - Throws: ``PaymentError/plan(_:)``, ``PaymentError/duplicate(_:)`` where it cannot be told whether an earlier one may still be
    ///   mined, ``PaymentError/coin(_:)``, ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public func plan(
        _ order: BitcoinOrder, fee: BitcoinFee, coins: CoinControl = CoinControl(), isFurther: Bool = false,
        expecting digest: [UInt8]? = nil
    ) async throws(PaymentError) -> Planning {
        let book = flow.book
        let history = await book.history()
        let mark = history.last?.number ?? 0
        let (attempts, proposals) = try await attempt { () async throws(CustodyError) in
            (try await book.attempts(at: order.identity), try await book.proposals(for: order.identity))
        }
        let earlier = try await DuplicateBitcoinPayment.found(
            order, attempts: attempts, in: history, by: chain, isFurther: isFurther, now: flow.now())
        if let waiting = earlier.resumed {
            // A caller who orders once more what was never answered wants to pay once.
            try earlier.check(
                history.first { $0.digest == waiting.digest }, expecting: digest, ceiling: fee.ceiling)
            report(.madeBefore(hasKey: order.identity.key != nil))
            return .earlier(waiting)
        }
        if !flow.isRehearsal {
            for (digest, height) in earlier.mined {
                try await flow.note(.mined(height: UInt64(height)), of: digest)
            }
        }
        let used = await book.usedScripts(on: flow.wallet.network)
        let (rates, height) = try await attempt { () async throws(NodeError) in
            (try await chain.feeRates(), try await chain.height())
        }
        let spendable = try await SpendableCoins.found(
            by: chain, for: flow.wallet, reach: reach, used: used, report: report)
        let frozen = await book.frozen()
        if fee.rate == nil, let effects = order.effects,
            let held = HeldBitcoinPayment.found(doing: effects, among: proposals, of: spendable),
            held.fee <= fee.ceiling, coins.allows(held.psbt, frozen: frozen)
        {
            report(.takesHeldPayment)
            let expected = try? rates.high.fee(virtualSize: held.size)
            try earlier.check(held.psbt.unsignedTransaction)
            return .fresh(
                PlannedBitcoinPayment(
                    psbt: held.psbt, fee: held.fee,
                    node: NodeView(balance: try spendable.total(), expectedFee: expected), findings: earlier.findings,
                    order: order.identity, isFurther: isFurther, mark: mark, isNew: false))
        }
        var spend = SpendOrder(
            paying: order.recipients, from: spendable.coins, feeRate: fee.rate ?? rates.rate(fee.priority),
            feeCeiling: fee.ceiling, change: try spendable.freshChange(), blockHeight: height)
        try earlier.bind(&spend, frozen: frozen)
        try coins.apply(to: &spend, frozen: frozen)
        let seed = PlanSeed.bytes(order.text, spendable.coins, of: flow.wallet)
        let plan = try attempt { () throws(PlanRefusal) in
            try SpendPlan(spend, for: spendable.ownership, seed: seed)
        }
        try earlier.check(plan.psbt.unsignedTransaction)
        if !plan.leftBehind.isEmpty { report(.dustStays(plan.leftBehind.count)) }
        if !plan.largeOrigins.isEmpty { report(.largeOriginsStay(plan.largeOrigins)) }
        let expected = try? rates.high.fee(virtualSize: plan.selection.virtualSize)
        return .fresh(
            PlannedBitcoinPayment(
                psbt: plan.psbt, fee: plan.fee,
                node: NodeView(balance: try spendable.total(), expectedFee: expected), findings: earlier.findings,
                order: order.identity, isFurther: isFurther, mark: mark, isNew: true))
    }

    /// Plans to join the smallest coins into one, at an address for change that was never used.
    ///
    /// - Parameter most: how many coins.
    /// - Throws: ``PaymentError/plan(_:)``, ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public func planConsolidation(most: Int, fee: BitcoinFee) async throws(PaymentError) -> PlannedBitcoinPayment {
        let mark = await flow.book.lastNumber()
        let used = await flow.book.usedScripts(on: flow.wallet.network)
        let (rates, height) = try await attempt { () async throws(NodeError) in
            (try await chain.feeRates(), try await chain.height())
        }
        let spendable = try await SpendableCoins.found(
            by: chain, for: flow.wallet, reach: reach, used: used, report: report)
        var order = ConsolidationOrder(
            of: spendable.coins, feeRate: fee.rate ?? rates.rate(fee.priority), feeCeiling: fee.ceiling,
            target: try spendable.freshChange(), blockHeight: height)
        order.frozen = await flow.book.frozen()
        order.most = most
        let seed = PlanSeed.bytes("consolidate \(most)", spendable.coins, of: flow.wallet)
        let plan = try attempt { () throws(PlanRefusal) in
            try SpendPlan(order, for: spendable.ownership, seed: seed)
        }
        report(.consolidating(plan.selection.coins.count))
        let expected = try? rates.high.fee(virtualSize: plan.selection.virtualSize)
        return PlannedBitcoinPayment(
            psbt: plan.psbt, fee: plan.fee, node: NodeView(balance: try spendable.total(), expectedFee: expected),
            findings: [], order: nil, isFurther: false, mark: mark, isNew: true)
    }

    // MARK: - Replacements

    /// Plans to pay more for a transaction that waits: by a better one in its place if it is the wallet's and allows that (BIP-125), and
    /// by a child that pays for both if not. What the node does not have is sent to it once more, as it is, unless a rate is named.
    ///
    /// - Throws: ``PaymentError/replacement(_:)``, and as ``plan(_:fee:coins:isFurther:expecting:)``.
    public func planSpeedUp(of id: TransactionID, fee: BitcoinFee) async throws(PaymentError) -> Planning {
        let (waiting, replacement, history) = try await replacement(of: id, fee)
        if !waiting.isShown, fee.rate == nil || waiting.spent == nil { return .earlier(waiting) }
        let made =
            waiting.spent != nil && waiting.isReplaceable
            ? try await replacement.replacement(.pay) : try await replacement.child()
        return .fresh(planned(made, of: waiting, in: history))
    }

    /// Plans a transaction that pays nobody, in the place of one that waits.
    ///
    /// - Throws: ``PaymentError/replacement(_:)``, and as ``plan(_:fee:coins:isFurther:expecting:)``.
    public func planCancellation(
        of id: TransactionID, fee: BitcoinFee
    ) async throws(PaymentError) -> PlannedBitcoinPayment {
        let (waiting, replacement, history) = try await replacement(of: id, fee)
        guard waiting.spent != nil else { throw .replacement(.notOurs) }
        return planned(try await replacement.replacement(.cancel), of: waiting, in: history)
    }

    private func replacement(
        of id: TransactionID, _ fee: BitcoinFee
    ) async throws(PaymentError) -> (UnconfirmedTransaction, BitcoinReplacement, [HistoryEntry]) {
        let (wallet, book) = (flow.wallet, flow.book)
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let ownership = try WalletScripts(of: accounts, reach).ownership
        let history = await book.history()
        let waiting = try await UnconfirmedTransaction.found(id, by: chain, in: history, ownership: ownership)
        let rates = try await attempt { () async throws(NodeError) in try await chain.feeRates() }
        let replacement = BitcoinReplacement(
            waiting: waiting, ownership: ownership, wallet: wallet, chain: chain, named: fee.rate,
            suggested: rates.rate(fee.priority), urgent: rates.high, ceiling: fee.ceiling, reach: reach,
            used: await book.usedScripts(on: wallet.network), frozen: await book.frozen(), report: report)
        return (waiting, replacement, history)
    }

    private func planned(
        _ made: BitcoinReplacement.Made, of waiting: UnconfirmedTransaction, in history: [HistoryEntry]
    ) -> PlannedBitcoinPayment {
        PlannedBitcoinPayment(
            psbt: made.plan.psbt, fee: made.plan.fee,
            node: NodeView(balance: made.balance, expectedFee: made.expectedFee), findings: [],
            order: made.isReplacement ? history.first { $0.digest == waiting.digest }?.order : nil, isFurther: false,
            mark: history.last?.number ?? 0, isNew: true)
    }
}

/// A transaction of Bitcoin that is planned, and neither shown nor signed.
public struct PlannedBitcoinPayment: Sendable {
    /// The unsigned transaction.
    public let psbt: PSBT
    /// What it costs.
    public let fee: Amount
    /// What the node says of it.
    public let node: NodeView
    /// What the person should know beside what can be read from the bytes.
    public let findings: [PaymentFinding]
    let order: OrderIdentity?
    let isFurther: Bool
    /// The newest entry of the book that was known when it was planned.
    let mark: UInt64
    /// Whether it was planned now, with its change behind the last address that was used; else it was held in the book.
    public let isNew: Bool
}

extension SigningFlow {
    /// Judges what signing a planned payment does.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func propose(_ payment: PlannedBitcoinPayment) async throws(PaymentError) -> ProposedSigning {
        try await propose(
            .bitcoinTransaction(payment.psbt), node: payment.node, findings: payment.findings, for: payment.order,
            isFurther: payment.isFurther, plannedAfter: payment.mark)
    }
}

extension NodeView {
    /// - Parameter expectedFee: the most that it should cost, by what the node says.
    fileprivate init(balance: Amount, expectedFee: Amount?) {
        self.init(
            balance: UInt256(balance.satoshis), expectedFee: expectedFee.map { UInt256($0.satoshis) }, contracts: [],
            failure: nil)
    }
}
