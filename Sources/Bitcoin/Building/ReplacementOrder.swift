internal import HDKeys

/// An order to replace a transaction of the wallet that waits too long to be mined (BIP-125).
public struct ReplacementOrder: Sendable {
    /// The effect of the replacement on the payments.
    public enum Aim: CaseIterable, Sendable {
        /// The replacement pays the same amounts to the same recipients.
        case pay
        /// The payments are cancelled: everything returns to the wallet.
        case cancel
    }

    /// The transaction, as it was broadcast.
    public let transaction: Transaction
    /// The effect of this replacement on the payments.
    public let aim: Aim
    /// The coins that it spends, and others that may be spent, too.
    public let coins: [Coin]
    /// The fee rate of the replacement.
    public let feeRate: FeeRate
    /// No transaction with a higher fee is built.
    public let feeCeiling: Amount
    /// The key of its change; if it had none, a key for change that there may be now.
    public let change: DerivedKey

    /// Coins that are never added. Those that the transaction spends already are spent again.
    public var frozen: Set<OutPoint> = []
    /// The rate that nodes require for relaying a replacement (`incrementalrelayfee`).
    public var incrementalFeeRate = BitcoinLimits.incrementalFeeRate
    /// The number of transactions that spend its outputs, and would be evicted with it.
    public var descendantCount = 0
    /// The sum of the fees of those transactions.
    public var descendantFees = Amount.zero
    /// The height of the chain. A cancellation is never locked above it: the payment may be refused for its lock time,
    /// and its cancellation must not be. Without a height it has the lock time of the payment.
    public var blockHeight: UInt32?

    /// Orders the replacement of a waiting transaction.
    public init(
        replacing transaction: Transaction, to aim: Aim, coins: [Coin], feeRate: FeeRate, feeCeiling: Amount,
        change: DerivedKey
    ) {
        self.transaction = transaction
        self.aim = aim
        self.coins = coins
        self.feeRate = feeRate
        self.feeCeiling = feeCeiling
        self.change = change
    }
}

extension SpendPlan {
    /// Plans a replacement that nodes accept: it spends the same coins, pays a higher rate, and exceeds the first fee
    /// by the cost of its relay.
    ///
    /// The change is made smaller first; then further coins are spent, which must be mined already. Payments stay as
    /// they are, or everything returns to the wallet.
    /// - Parameter seed: 32 random bytes, as for a payment.
    /// - Throws: the first reason against it.
    public init(_ order: ReplacementOrder, for ownership: Ownership, seed: [UInt8]) throws(PlanRefusal) {
        try Self.checkRate(order.feeRate)
        try Self.checkRate(order.incrementalFeeRate)
        let old = order.transaction
        // Rule 1.
        guard old.inputs.contains(where: { $0.sequence < 0xFFFF_FFFE }) else { throw .notReplaceable }
        // Rule 5: the transaction itself is one of them.
        guard order.descendantCount < BitcoinLimits.replacedTransactions else {
            throw .tooManyReplaced(limit: BitcoinLimits.replacedTransactions)
        }
        try CoinPool.check(order.coins)
        let (spent, oldFee) = try order.spent()
        let oldRate = FeeRate(fee: oldFee, virtualSize: old.virtualSize)
        guard order.feeRate > oldRate else { throw .feeRateNotHigher(than: oldRate) }

        let mine = order.aim == .pay ? order.changeOutput(for: ownership) : nil
        let kept = order.aim == .pay ? old.outputs.indices.filter { $0 != mine?.index }.map { old.outputs[$0] } : []
        let change = mine?.key ?? order.change
        // Rule 2: added inputs must be mined. The transaction's own outputs will not exist.
        let inputs = Set(old.inputs.map(\.previousOutput))
        let pool = try CoinPool(
            order.coins.filter { !inputs.contains($0.outPoint) && $0.outPoint.transaction != old.id }, required: [],
            frozen: order.frozen, leastConfirmations: 1)
        // Rules 3 and 4, and a higher rate.
        let replaced = Int64(oldFee.satoshis) + Int64(order.descendantFees.satoshis)
        let rule = FeeRule(
            FeeRule.Line(rate: order.feeRate), FeeRule.Line(rate: order.incrementalFeeRate, offset: replaced))
        let problem = SelectionProblem(
            required: spent, candidates: pool.available, outputs: kept, change: change, rule: rule)
        let (selection, large) = try problem.solvedWithinRoom(seed: seed, pool)
        var outputs = kept
        var changeOutput: Int?
        if let amount = selection.change {
            var random = SeededOrder(seed: seed, purpose: "inputs and outputs")
            let place = mine?.index ?? random.below(kept.count + 1)
            outputs.insert(TransactionOutput(amount: amount, scriptPubKey: change.scriptPubKey), at: place)
            changeOutput = place
        }
        try self.init(
            spending: selection.coins, selection, paying: outputs, change: (change, changeOutput), largeOrigins: large,
            version: old.version, lockTime: order.lockTime, ceiling: order.feeCeiling, ownership)
    }
}

extension ReplacementOrder {
    /// The lock time of the replacement. A payment keeps its own: it may be locked on purpose.
    fileprivate var lockTime: UInt32 {
        guard aim == .cancel, let blockHeight else { return transaction.lockTime }
        return min(transaction.lockTime, blockHeight)
    }

    /// Returns the coins of the inputs, in their order, and the present fee.
    fileprivate func spent() throws(PlanRefusal) -> (coins: [Coin], fee: Amount) {
        var spent: [Coin] = []
        for input in transaction.inputs {
            // A wallet that paid together with others cannot replace the transaction alone.
            guard let coin = coins.first(where: { $0.outPoint == input.previousOutput }) else { throw .otherCoins }
            spent.append(coin)
        }
        guard let worth = try? Amount.sum(spent.map(\.amount)),
            let paid = try? Amount.sum(transaction.outputs.map(\.amount)), let fee = try? worth.subtracting(paid)
        else { throw .otherCoins }
        return (spent, fee)
    }

    /// Returns the output that may be made smaller: the wallet's change, the largest if there are several. An output to
    /// a receiving address of the wallet is treated as a payment, unless it is the only output to the wallet.
    fileprivate func changeOutput(for ownership: Ownership) -> (index: Int, key: DerivedKey)? {
        let outputs = transaction.outputs
        let ours = outputs.indices.compactMap { index in
            let script = outputs[index].scriptPubKey
            return (script == change.scriptPubKey ? change : ownership.key(for: script)).map { (index, $0) }
        }
        let candidates = outputs.count == 1 ? ours : ours.filter { $0.1.path.chain == .change }
        return candidates.max { outputs[$0.0].amount < outputs[$1.0].amount }
    }
}
