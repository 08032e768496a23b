/// The amounts that a choice of coins must pay for.
struct SelectionProblem {
    /// Coins that are spent in any case.
    let required: [Coin]
    /// Coins that may be spent, the most valuable first, each once.
    let candidates: [Coin]
    /// Outputs that are paid in any case. If the list is empty, the change is the only output, and is required.
    let outputs: [TransactionOutput]
    /// The key that gets the change.
    let change: DerivedKey
    let rule: FeeRule

    /// The sum of the outputs, in satoshis: at most 21 million bitcoin, which was checked before.
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
        // A coin that costs more than it is worth is useless. The order is total, so the result does not depend on the
        // input's order.
        self.candidates = candidates.filter { Self.effectiveValue(of: $0, at: rate) > 0 }.sorted {
            Self.isWorthMore($0, $1, at: rate)
        }
    }

    /// Returns whether a coin precedes another in the order of effective values, the highest first. No two coins of a
    /// plan are equal in it.
    static func isWorthMore(_ left: Coin, _ right: Coin, at rate: FeeRate) -> Bool {
        let (one, other) = (effectiveValue(of: left, at: rate), effectiveValue(of: right, at: rate))
        return one == other ? left.outPoint.precedes(right.outPoint) : one > other
    }

    /// Returns a coin's effective value: its amount, less the cost of its input.
    static func effectiveValue(of coin: Coin, at rate: FeeRate) -> Int64 {
        Int64(coin.amount.satoshis) - FeeRule.cost(of: TransactionSize.weight(of: coin.key), at: rate)
    }

    func effectiveValue(of coin: Coin) -> Int64 { Self.effectiveValue(of: coin, at: rule.rate) }

    /// Returns how much more it costs to spend a coin now than later.
    static func waste(of coin: Coin, at rate: FeeRate) -> Int64 {
        let weight = TransactionSize.weight(of: coin.key)
        return FeeRule.cost(of: weight, at: rate) - FeeRule.cost(of: weight, at: BitcoinLimits.usualFeeRate)
    }

    func waste(of coin: Coin) -> Int64 { Self.waste(of: coin, at: rule.rate) }

    /// The sum that the candidates' effective values must reach without change.
    var target: Int64 {
        let size = TransactionSize(paying: outputs).virtualSize
        return paid + rule.fee(virtualSize: size) - required.reduce(0) { $0 + effectiveValue(of: $1) }
    }

    /// The number of candidates that may be chosen.
    var room: Int { BitcoinLimits.ownInputs - required.count }

    // MARK: - Change

    /// The cost of an output for change now.
    var changeFee: Int64 { FeeRule.cost(of: 4 * TransactionSize.output(change.scriptPubKey), at: rule.rate) }

    /// The cost of spending the change later.
    private var changeSpendingFee: Int64 {
        FeeRule.cost(of: TransactionSize.weight(of: change), at: BitcoinLimits.usualFeeRate)
    }

    /// The smallest change that is worth an output: nodes relay it, and spending it does not cost all of it.
    var leastChange: Int64 { max(Int64(change.scriptPubKey.dustLimit.satoshis), changeSpendingFee) }

    // MARK: - Result

    /// Returns the selection of a choice, by the exact size of the transaction; nil if it is not enough.
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
        // Neither is negative, and both are parts of the coins' sum.
        guard let fee = try? Amount(satoshis: UInt64(fee)), let back = try? Amount(satoshis: UInt64(change ?? 0)) else {
            return nil
        }
        return CoinSelection(
            coins: coins, method: method, fee: fee, change: change == nil ? nil : back, waste: waste,
            virtualSize: virtualSize)
    }

    /// Returns how much is missing with these coins.
    func shortage(with chosen: [Coin]) -> Int64 {
        let coins = required + chosen
        let available = coins.reduce(0) { $0 + Int64($1.amount.satoshis) }
        var size = TransactionSize(spending: coins, paying: outputs)
        if outputs.isEmpty { size.add(change.scriptPubKey) }
        return paid + rule.fee(virtualSize: size.virtualSize) + (outputs.isEmpty ? leastChange : 0) - available
    }
}

extension OutPoint {
    /// An order of outputs without a meaning, which is always the same.
    func precedes(_ other: OutPoint) -> Bool {
        transaction == other.transaction
            ? index < other.index : transaction.bytes.lexicographicallyPrecedes(other.transaction.bytes)
    }
}
