internal import Amounts
public import Bitcoin
internal import Custody
public import Nodes
public import SigningSession
public import Wallet
internal import WalletBooks

/// The Bitcoin payments of a wallet. It plans them, checks for earlier attempts, and replaces unconfirmed ones.
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
    let report: PaymentListener

    /// Creates a wallet's payments on Bitcoin.
    ///
    /// - Parameters:
    ///   - flow: the signing flow. It stays open while its book is needed.
    ///   - chain: the node, on the wallet's network.
    ///   - reach: the addresses to search; by default the first ones, and those after the last one that this machine
    ///     has shown.
    ///   - report: the listener for events.
    public init(
        _ flow: SigningFlow, at chain: any BitcoinChain, reach: AddressReach? = nil,
        report: @escaping PaymentListener = { _ in }
    ) {
        self.report = report
        self.flow = flow
        self.chain = chain
        self.reach = reach ?? AddressReach(shown: flow.home.shownAddresses(of: flow.wallet))
    }

    /// The result of planning an order.
    public enum Planning: Sendable {
        /// An attempt at this order is signed, and may be mined: ``resend(_:untilMined:)`` sends it again, or reports
        /// its state.
        case earlier(UnconfirmedTransaction)
        /// A new transaction is planned.
        case fresh(PlannedBitcoinPayment)
    }

    // MARK: - A payment

    /// Plans a payment, unless it was already made.
    ///
    /// Without a payment key, the same payees and amounts are the same payment until its result was acknowledged
    /// (`SigningFlow.acknowledge(_:)`); with a key, while the book contains the key.
    ///
    /// - Parameters:
    ///   - coins: the coins that it may spend.
    ///   - isFurther: whether it is an additional payment beside all earlier ones of the order.
    ///   - digest: the `Intent.digest` of the expected transaction; nil for any.
    /// - Throws: ``PaymentError/plan(_:)``, ``PaymentError/duplicate(_:)`` if it is unknown whether an earlier one may
    ///   still be mined, ``PaymentError/coin(_:)``, ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public func plan(
        _ order: BitcoinOrder, fee: BitcoinFee, coins: CoinControl = CoinControl(), isFurther: Bool = false,
        expecting digest: [UInt8]? = nil
    ) async throws(PaymentError) -> Planning {
        try await flow.step { () async throws(PaymentError) in
            try await planned(order, fee: fee, coins: coins, isFurther: isFurther, expecting: digest)
        }
    }

    private func planned(
        _ order: BitcoinOrder, fee: BitcoinFee, coins: CoinControl, isFurther: Bool, expecting digest: [UInt8]?
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
            // A caller who repeats an order that was never answered wants to pay once.
            try earlier.check(
                history.first { $0.digest == waiting.digest }, expecting: digest, ceiling: fee.ceiling)
            report(.madeBefore(hasKey: order.identity.key != nil))
            return .earlier(waiting)
        }
        if !flow.isRehearsal {
            for (digest, height) in earlier.mined {
                try await flow.record(.mined(height: UInt64(height)), of: digest)
            }
        }
        let used = await book.usedScripts(on: flow.wallet.network)
        let (rates, height, lag) = try await attempt { () async throws(NodeError) in
            (try await chain.feeRates(), try await chain.height(), try await chain.lag())
        }
        let told = earlier.findings + [lag.map(PaymentFinding.nodeSyncing)].compactMap(\.self)
        let spendable = try await SpendableCoins.found(
            by: chain, for: flow.wallet, reach: reach, used: used, report: report)
        let frozen = await book.frozen()
        func unconfirmed(_ psbt: PSBT) -> [PaymentFinding] {
            [
                PaymentFinding(
                    unconfirmedChangeIn: psbt.unsignedTransaction, of: spendable.coins, besides: earlier.rivals)
            ].compactMap(\.self)
        }
        let held = HeldBitcoinPayment.all(for: order, among: proposals, of: spendable).first {
            $0.suits(fee, isSweep: order.effects == nil) && coins.allows($0.psbt, frozen: frozen)
                && earlier.allows($0.psbt.unsignedTransaction)
        }
        if let held {
            report(.takesHeldPayment)
            let expected = try? rates.high?.fee(virtualSize: held.size)
            return .fresh(
                PlannedBitcoinPayment(
                    psbt: held.psbt, fee: held.fee,
                    node: NodeView(balance: try spendable.total(), expectedFee: expected),
                    findings: told + unconfirmed(held.psbt), order: order.identity, isFurther: isFurther,
                    mark: mark, isNew: false))
        }
        let seed = PlanSeed.bytes(order.text, spendable.coins, of: flow.wallet)
        let freshChange = try spendable.freshChange()
        let feeRate = try fee.rate(by: rates)
        func spending(_ waiting: UnconfirmedChange?) throws(PaymentError) -> SpendPlan {
            var spend = SpendOrder(
                paying: order.recipients, from: spendable.coins, feeRate: feeRate,
                feeCeiling: fee.ceiling, change: freshChange, blockHeight: height)
            waiting?.offer(to: &spend)
            try earlier.bind(&spend, coins, frozen: frozen)
            try coins.apply(to: &spend, frozen: frozen)
            let plan = try attempt { () throws(PlanRefusal) in
                try SpendPlan(spend, for: spendable.ownership, seed: seed)
            }
            try earlier.check(plan.psbt.unsignedTransaction)
            return plan
        }
        let plan: SpendPlan
        do throws(PaymentError) { plan = try spending(nil) } catch {
            guard error.isShortage, coins.leastConfirmations == 0 else { throw error }
            var waiting = try await UnconfirmedChange.found(among: spendable, in: history, by: chain)
            plan = try waiting.plan(spending, besides: error)
        }
        if !plan.leftBehind.isEmpty { report(.dustStays(plan.leftBehind.count)) }
        if !plan.largeOrigins.isEmpty { report(.largeOriginsStay(plan.largeOrigins)) }
        let expected = try? rates.high?.fee(virtualSize: plan.selection.virtualSize)
        return .fresh(
            PlannedBitcoinPayment(
                psbt: plan.psbt, fee: plan.fee,
                node: NodeView(balance: try spendable.total(), expectedFee: expected),
                findings: told + unconfirmed(plan.psbt), order: order.identity, isFurther: isFurther,
                mark: mark, isNew: true))
    }

    /// Plans to join the smallest coins into one, at an unused change address.
    ///
    /// - Parameter most: the highest number of coins.
    /// - Throws: ``PaymentError/plan(_:)``, ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``.
    public func planConsolidation(most: Int, fee: BitcoinFee) async throws(PaymentError) -> PlannedBitcoinPayment {
        try await flow.step { () async throws(PaymentError) in try await consolidation(most: most, fee: fee) }
    }

    private func consolidation(most: Int, fee: BitcoinFee) async throws(PaymentError) -> PlannedBitcoinPayment {
        let mark = await flow.book.lastNumber()
        let used = await flow.book.usedScripts(on: flow.wallet.network)
        let (rates, height) = try await attempt { () async throws(NodeError) in
            (try await chain.feeRates(), try await chain.height())
        }
        let spendable = try await SpendableCoins.found(
            by: chain, for: flow.wallet, reach: reach, used: used, report: report)
        var order = ConsolidationOrder(
            of: spendable.coins, feeRate: try fee.rate(by: rates), feeCeiling: fee.ceiling,
            target: try spendable.freshChange(), blockHeight: height)
        order.frozen = await flow.book.frozen()
        order.most = most
        let seed = PlanSeed.bytes("consolidate \(most)", spendable.coins, of: flow.wallet)
        let plan = try attempt { () throws(PlanRefusal) in
            try SpendPlan(order, for: spendable.ownership, seed: seed)
        }
        report(.consolidating(plan.selection.coins.count))
        let expected = try? rates.high?.fee(virtualSize: plan.selection.virtualSize)
        return PlannedBitcoinPayment(
            psbt: plan.psbt, fee: plan.fee, node: NodeView(balance: try spendable.total(), expectedFee: expected),
            findings: [], order: nil, isFurther: false, mark: mark, isNew: true)
    }

    // MARK: - Replacements

    /// Plans to raise the fee of an unconfirmed transaction: by a replacement if it is the wallet's and allows that
    /// (BIP-125), otherwise by a child that pays for both. A transaction that the node does not have is sent again
    /// unchanged, unless a rate is named.
    ///
    /// - Throws: ``PaymentError/replacement(_:)``, and the errors of ``plan(_:fee:coins:isFurther:expecting:)``.
    public func planSpeedUp(of id: TransactionID, fee: BitcoinFee) async throws(PaymentError) -> Planning {
        try await flow.step { () async throws(PaymentError) in
            let (waiting, replacement, history) = try await replacement(of: id, fee)
            if !waiting.isShown, fee.rate == nil || waiting.spent == nil { return .earlier(waiting) }
            let made =
                waiting.spent != nil && waiting.isReplaceable
                ? try await replacement.replacement(.pay) : try await replacement.child()
            return .fresh(planned(made, of: waiting, in: history))
        }
    }

    /// Plans a transaction without payees that replaces an unconfirmed one.
    ///
    /// - Throws: ``PaymentError/replacement(_:)``, and the errors of ``plan(_:fee:coins:isFurther:expecting:)``.
    public func planCancellation(
        of id: TransactionID, fee: BitcoinFee
    ) async throws(PaymentError) -> PlannedBitcoinPayment {
        try await flow.step { () async throws(PaymentError) in
            let (waiting, replacement, history) = try await replacement(of: id, fee)
            guard waiting.spent != nil else { throw .replacement(.notOurs) }
            return planned(try await replacement.replacement(.cancel), of: waiting, in: history)
        }
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
            suggested: try fee.rate(by: rates), urgent: rates.high, ceiling: fee.ceiling, reach: reach,
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

/// A planned Bitcoin transaction, neither shown nor signed yet.
public struct PlannedBitcoinPayment: Sendable {
    /// The unsigned transaction.
    public let psbt: PSBT
    /// The fee.
    public let fee: Amount
    /// The node's information about it.
    public let node: NodeView
    /// The facts that a person should know in addition to the transaction's bytes.
    public let findings: [PaymentFinding]
    let order: OrderIdentity?
    let isFurther: Bool
    /// The newest entry of the book at the time of planning.
    let mark: UInt64
    /// Whether it was planned now, with change to a fresh address; otherwise it was a proposal in the book.
    public let isNew: Bool
}

extension SigningFlow {
    /// Judges the effects of signing a planned payment.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public func propose(_ payment: PlannedBitcoinPayment) async throws(PaymentError) -> ProposedSigning {
        var proposal = try await propose(
            .bitcoinTransaction(payment.psbt), node: payment.node, payment.findings, for: payment.order,
            isFurther: payment.isFurther, plannedAfter: payment.mark)
        if payment.isNew { proposal.planned = .plannedChange }
        return proposal
    }
}

extension NodeView {
    /// Creates the view of a node.
    ///
    /// - Parameter expectedFee: the highest expected fee, by the node's estimate.
    fileprivate init(balance: Amount, expectedFee: Amount?) {
        self.init(
            balance: UInt256(balance.satoshis), expectedFee: expectedFee.map { UInt256($0.satoshis) }, contracts: [],
            failure: nil)
    }
}
