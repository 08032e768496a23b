/// An order for a payment to the wallet itself that pays for an unconfirmed parent: miners take both, or neither
/// ("child pays for parent").
///
/// Unlike a replacement, it also works for a transaction that pays to the wallet.
public struct ChildOrder: Sendable {
    /// The unconfirmed transaction.
    public let parent: Transaction
    /// The fee of the parent and its unconfirmed ancestors.
    public let parentFee: Amount
    /// The virtual size of the parent and its unconfirmed ancestors.
    public let parentSize: Int
    /// The wallet's outputs of the parent, and other coins that may be spent, too.
    public let coins: [Coin]
    /// The feerate of all these transactions and the child together.
    public let feeRate: FeeRate
    /// No child with a higher fee is built.
    public let feeCeiling: Amount
    /// The key that gets the remaining amount.
    public let change: DerivedKey
    /// The newest block's height, as ``SpendOrder/blockHeight``.
    public let blockHeight: UInt32?
    /// Coins that are never spent.
    public var frozen: Set<OutPoint> = []

    /// Orders a child that pays for a waiting parent.
    ///
    /// - Parameters:
    ///   - parentFee: the fee that a node reports, unconfirmed ancestors included (`getmempoolentry`, `ancestorfees`).
    ///   - parentSize: the size of the same transactions (`ancestorsize`), greater than 0.
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
    /// Plans a child that raises the feerate of its parent: it spends an output of the parent that belongs to the
    /// wallet, adds further coins only if that is too little, and has one output, to the wallet.
    ///
    /// - Parameter seed: 32 random bytes, as for a payment.
    /// - Throws: the first reason against it.
    public init(_ order: ChildOrder, for ownership: Ownership, seed: [UInt8]) throws(PlanRefusal) {
        try Self.checkRate(order.feeRate)
        // A size that a lying node invents must not overflow: the largest package has the weight of a block.
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
            preconditionFailure("without a payee, the selection has change")
        }
        var random = SeededOrder(seed: seed, purpose: "inputs and outputs")
        try self.init(
            spending: random.permuted(selection.coins), selection,
            paying: [TransactionOutput(amount: amount, scriptPubKey: order.change.scriptPubKey)],
            change: (order.change, 0), lockTime: try Self.lockTime(order.blockHeight, seed: seed),
            ceiling: order.feeCeiling, ownership)
    }
}
