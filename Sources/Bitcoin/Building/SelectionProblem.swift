/// What a choice of coins has to pay for.
struct SelectionProblem {
    /// Spent in any case.
    let required: [Coin]
    /// May be spent, the most valuable first. None of them twice.
    let candidates: [Coin]
    /// Paid in any case. Where there are none, the change is the only output, and there has to be one.
    let outputs: [TransactionOutput]
    /// Where change goes.
    let change: DerivedKey
    let rule: FeeRule

    /// What the outputs take, in satoshis: at most 21 million bitcoin, which was checked before.
    private let paid: Int64

    init(
        required: [Coin], candidates: [Coin], outputs: [TransactionOutput], change: DerivedKey, rule: FeeRule
    ) {
        self.required = required
        self.outputs = outputs
        self.change = change
        self.rule = rule
        paid = outputs.reduce(0) { $0 + Int64($1.amount.satoshis) }
        let rate = rule.rate
        // A coin that costs more than it is worth is of no use. The order is total, whatever order the coins came in.
        self.candidates = candidates.filter { Self.effectiveValue(of: $0, at: rate) > 0 }.sorted {
            Self.isWorthMore($0, $1, at: rate)
        }
    }

    /// Whether a coin comes first in the order of effective values, the highest first. No two coins of a plan are equal in it.
    static func isWorthMore(_ left: Coin, _ right: Coin, at rate: FeeRate) -> Bool {
        let (one, other) = (effectiveValue(of: left, at: rate), effectiveValue(of: right, at: rate))
        return one == other ? left.outPoint.precedes(right.outPoint) : one > other
    }

    /// What a coin adds to a payment: its amount, less what its input costs.
    static func effectiveValue(of coin: Coin, at rate: FeeRate) -> Int64 {
        Int64(coin.amount.satoshis) - FeeRule.cost(of: TransactionSize.weight(of: coin.key), at: rate)
    }

    func effectiveValue(of coin: Coin) -> Int64 { Self.effectiveValue(of: coin, at: rule.rate) }

    /// What spending a coin now costs more than at some other time.
    static func waste(of coin: Coin, at rate: FeeRate) -> Int64 {
        let weight = TransactionSize.weight(of: coin.key)
        return FeeRule.cost(of: weight, at: rate) - FeeRule.cost(of: weight, at: BitcoinLimits.usualFeeRate)
    }

    func waste(of coin: Coin) -> Int64 { Self.waste(of: coin, at: rule.rate) }

    /// What the effective values of the candidates must come to without change.
    var target: Int64 {
        let size = TransactionSize(paying: outputs).virtualSize
        return paid + rule.fee(virtualSize: size) - required.reduce(0) { $0 + effectiveValue(of: $1) }
    }

    /// How many candidates may be chosen.
    var room: Int { BitcoinLimits.ownInputs - required.count }

    // MARK: - Change

    /// What an output for change costs now.
    var changeFee: Int64 { FeeRule.cost(of: 4 * TransactionSize.output(change.scriptPubKey), at: rule.rate) }

    /// What it costs to spend the change some time.
    private var changeSpendingFee: Int64 {
        FeeRule.cost(of: TransactionSize.weight(of: change), at: BitcoinLimits.usualFeeRate)
    }

    /// Less is not worth an output: nodes would not relay it, or spending it would cost all of it.
    var leastChange: Int64 { max(Int64(change.scriptPubKey.dustLimit.satoshis), changeSpendingFee) }

    // MARK: - Result

    /// What comes of a choice, by the exact size of the transaction; nothing if it is not enough.
    func settlement(of chosen: [Coin], by method: CoinSelection.Method) -> CoinSelection? {
        let coins = required + chosen
        let available = coins.reduce(0) { $0 + Int64($1.amount.satoshis) }
        var size = TransactionSize(spending: coins, paying: outputs)
        let sizeWithoutChange = size.virtualSize
        let least = rule.fee(virtualSize: sizeWithoutChange)
        size.add(change.scriptPubKey)
        let fee = rule.fee(virtualSize: size.virtualSize)
        let left = available - paid - fee
        let waste = coins.reduce(0) { $0 + self.waste(of: $1) }
        if left >= leastChange {
            return selection(
                coins, method, fee: fee, change: left, waste: waste + changeFee + changeSpendingFee,
                virtualSize: size.virtualSize)
        }
        let excess = available - paid - least
        guard excess >= 0, !outputs.isEmpty else { return nil }
        return selection(
            coins, method, fee: least + excess, change: nil, waste: waste + excess, virtualSize: sizeWithoutChange)
    }

    private func selection(
        _ coins: [Coin], _ method: CoinSelection.Method, fee: Int64, change: Int64?, waste: Int64, virtualSize: Int
    ) -> CoinSelection? {
        // Neither is negative, and together they are part of what the coins are worth.
        guard let fee = try? Amount(satoshis: UInt64(fee)), let back = try? Amount(satoshis: UInt64(change ?? 0)) else {
            return nil
        }
        return CoinSelection(
            coins: coins, method: method, fee: fee, change: change == nil ? nil : back, waste: waste,
            virtualSize: virtualSize)
    }

    /// How much more these coins would have to be worth.
    func shortage(with chosen: [Coin]) -> Int64 {
        let coins = required + chosen
        let available = coins.reduce(0) { $0 + Int64($1.amount.satoshis) }
        var size = TransactionSize(spending: coins, paying: outputs)
        if outputs.isEmpty { size.add(change.scriptPubKey) }
        return paid + rule.fee(virtualSize: size.virtualSize) + (outputs.isEmpty ? leastChange : 0) - available
    }
}

extension OutPoint {
    /// An order of outputs that means nothing, and is always the same.
    func precedes(_ other: OutPoint) -> Bool {
        transaction == other.transaction
            ? index < other.index : transaction.bytes.lexicographicallyPrecedes(other.transaction.bytes)
    }
}
