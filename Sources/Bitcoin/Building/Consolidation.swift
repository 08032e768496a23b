/// An order to join small coins into one, at an address of the wallet, so that later payments need fewer inputs.
///
/// It makes public that the addresses of these coins belong together.
public struct ConsolidationOrder: Sendable {
    /// All known coins of the wallet.
    public let coins: [Coin]
    /// The fee rate of the transaction.
    public let feeRate: FeeRate
    /// The maximum fee. Only as many coins are joined as it pays for.
    public let feeCeiling: Amount
    /// An address of this wallet that was never used, among those that the ownership scans.
    public let target: DerivedKey
    /// The newest block's height, as ``SpendOrder/blockHeight``.
    public let blockHeight: UInt32?
    /// Coins that are never spent.
    public var frozen: Set<OutPoint> = []
    /// The maximum number of coins that are joined.
    public var most = BitcoinLimits.ownInputs

    /// Orders the joining of these coins.
    public init(
        of coins: [Coin], feeRate: FeeRate, feeCeiling: Amount, target: DerivedKey, blockHeight: UInt32?
    ) {
        self.coins = coins
        self.feeRate = feeRate
        self.feeCeiling = feeCeiling
        self.target = target
        self.blockHeight = blockHeight
    }
}

extension SpendPlan {
    /// Plans to join the smallest coins that are mined, worth spending and not frozen: at least two, and at most the
    /// number that one transaction can sign and the fee ceiling pays for.
    ///
    /// - Parameter seed: 32 random bytes, as for a payment.
    /// - Throws: ``PlanRefusal/nothingToJoin``, and the first other reason against it.
    public init(_ order: ConsolidationOrder, for ownership: Ownership, seed: [UInt8]) throws(PlanRefusal) {
        try Self.checkRate(order.feeRate)
        try CoinPool.check(order.coins)
        let target = order.target.scriptPubKey
        guard let address = Address<Checked>(target, on: ownership.network), ownership.key(for: target) == order.target
        else { throw .foreignChange }
        let free = order.coins.filter { !order.frozen.contains($0.outPoint) }
        var coins = CoinBatch.smallest(of: free, at: order.feeRate, most: min(order.most, BitcoinLimits.ownInputs))
        let rule = FeeRule(FeeRule.Line(rate: order.feeRate))
        var size = TransactionSize(paying: [TransactionOutput(amount: .zero, scriptPubKey: target)])
        var affordable = 0
        for coin in coins {
            size.add(coin)
            guard rule.fee(virtualSize: size.virtualSize) <= Int64(order.feeCeiling.satoshis) else { break }
            affordable += 1
        }
        guard coins.count >= 2 else { throw .nothingToJoin }
        if affordable < 2 {
            let least = TransactionSize(
                spending: coins.prefix(2), paying: [TransactionOutput(amount: .zero, scriptPubKey: target)])
            let fee = (try? Amount(satoshis: UInt64(rule.fee(virtualSize: least.virtualSize)))) ?? .maximum
            throw .feeAboveCeiling(fee: fee, ceiling: order.feeCeiling)
        }
        coins = Array(coins.prefix(affordable))
        var spend = SpendOrder(
            paying: [.init(address, .everythingLeft)], from: coins, feeRate: order.feeRate,
            feeCeiling: order.feeCeiling, change: order.target, blockHeight: order.blockHeight)
        spend.mayPayOwnAddresses = true
        try self.init(spend, for: ownership, seed: seed)
    }
}
