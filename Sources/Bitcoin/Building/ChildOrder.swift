/// A payment to the wallet itself that pays for a transaction which waits too long to be mined: miners take both, or neither
/// ("child pays for parent").
///
/// It works for what others pay to us too, where no replacement can.
public struct ChildOrder: Sendable {
    /// The transaction that waits.
    public let parent: Transaction
    /// What it pays, together with whatever else has to be mined before it.
    public let parentFee: Amount
    /// The virtual bytes of the same transactions.
    public let parentSize: Int
    /// Outputs of the parent that are ours, and others that may be spent too.
    public let coins: [Coin]
    /// Of all these transactions and the child together.
    public let feeRate: FeeRate
    /// No child with a higher fee is built.
    public let feeCeiling: Amount
    /// Where what is left goes.
    public let change: DerivedKey
    /// As ``SpendOrder/blockHeight``.
    public let blockHeight: UInt32?
    /// Never spent.
    public var frozen: Set<OutPoint> = []

    /// Orders a child that pays for a waiting parent.
    ///
    /// - Parameters:
    ///   - parentFee: as a node tells it, with its unconfirmed ancestors (`getmempoolentry`, `ancestorfees`).
    ///   - parentSize: of the same (`ancestorsize`), greater than 0.
    public init(
        of parent: Transaction, fee parentFee: Amount, virtualSize parentSize: Int, coins: [Coin], feeRate: FeeRate,
        feeCeiling: Amount, change: DerivedKey, blockHeight: UInt32?
    ) {
        self.parent = parent
        self.parentFee = parentFee
        self.parentSize = parentSize
        self.coins = coins
        self.feeRate = feeRate
        self.feeCeiling = feeCeiling
        self.change = change
        self.blockHeight = blockHeight
    }
}

extension SpendPlan {
    /// A child that lifts its parent to a feerate: it spends an output of the parent that is ours, further coins only where
    /// that is not enough, and pays one output to ourselves.
    ///
    /// - Parameter seed: 32 random bytes, as for a payment.
    /// - Throws: the first reason not to.
    public init(_ order: ChildOrder, for ownership: Ownership, seed: [UInt8]) throws(PlanRefusal) {
        try Self.checkRate(order.feeRate)
        // A size that a node makes up must not overflow: the largest package has the weight of a block.
        guard (1...BitcoinLimits.transactionBytes / 4).contains(order.parentSize) else { throw .tooLarge(weight: 0) }
        let rate = FeeRate(fee: order.parentFee, virtualSize: order.parentSize)
        guard order.feeRate > rate else { throw .feeRateNotHigher(than: rate) }
        try CoinPool.check(order.coins)
        let parent = order.parent.id
        let outputs = order.coins.filter { $0.outPoint.transaction == parent && !order.frozen.contains($0.outPoint) }
        guard let first = outputs.max(by: { $0.amount < $1.amount }) else { throw .nothingToSpend }
        let others = order.coins.filter { $0.outPoint.transaction != parent }
        let pool = try CoinPool(others, required: [], frozen: order.frozen, leastConfirmations: 1)
        let missing = FeeRule.cost(of: 4 * order.parentSize, at: order.feeRate) - Int64(order.parentFee.satoshis)
        let problem = SelectionProblem(
            required: [first], candidates: outputs.filter { $0 != first } + pool.available, outputs: [],
            change: order.change, rule: FeeRule(FeeRule.Line(rate: order.feeRate, offset: missing)))
        let selection = try problem.solved(seed: seed, pool)
        guard let amount = selection.change else {
            preconditionFailure("where nobody is paid, the selection has change")
        }
        var random = SeededOrder(seed: seed, purpose: "inputs and outputs")
        try self.init(
            spending: random.permuted(selection.coins), selection,
            paying: [TransactionOutput(amount: amount, scriptPubKey: order.change.scriptPubKey)],
            change: (order.change, 0), lockTime: try Self.lockTime(order.blockHeight, seed: seed),
            ceiling: order.feeCeiling, ownership)
    }
}
