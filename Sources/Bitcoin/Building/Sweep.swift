/// The selection of all coins that are worth spending, for one recipient.
struct Sweep {
    let selection: CoinSelection
    /// The recipient's amount.
    let amount: Amount
    /// Coins that are not worth spending at this feerate.
    let leftBehind: [OutPoint]
    /// Coins that were left out because their previous transactions have no room in a PSBT beside those of more
    /// valuable coins.
    let largeOrigins: Set<OutPoint>

    /// - Throws: ``PlanRefusal/insufficientFunds(_:)``, ``PlanRefusal/tooManyInputs(limit:)``, ``PlanRefusal/largeOrigins(_:)``.
    init(
        of pool: CoinPool, paying outputs: [TransactionOutput], rest: ScriptPubKey, rule: FeeRule
    ) throws(PlanRefusal) {
        let isWorthIt = { (coin: Coin) in SelectionProblem.effectiveValue(of: coin, at: rule.rate) > 0 }
        let worthy = pool.available.filter(isWorthIt)
        let byValue = worthy.sorted { SelectionProblem.isWorthMore($0, $1, at: rule.rate) }
        var origins = ShownOrigins()
        let excess = origins.excess(ofMostValuable: byValue, beside: pool.required)
        let coins = pool.required + worthy.filter { !excess.contains($0.outPoint) }
        _ = try origins.excess(of: coins, beside: coins)
        largeOrigins = excess
        leftBehind = pool.available.filter { !isWorthIt($0) }.map(\.outPoint)
        guard coins.count <= BitcoinLimits.ownInputs else { throw .tooManyInputs(limit: BitcoinLimits.ownInputs) }
        var size = TransactionSize(spending: coins, paying: outputs)
        size.add(rest)
        let fee = rule.fee(virtualSize: size.virtualSize)
        let worth = coins.reduce(0) { $0 + Int64($1.amount.satoshis) }
        let left = worth - fee - outputs.reduce(0) { $0 + Int64($1.amount.satoshis) }
        let least = Int64(rest.dustLimit.satoshis)
        guard left >= least, let amount = try? Amount(satoshis: UInt64(left)),
            let paid = try? Amount(satoshis: UInt64(fee))
        else {
            guard excess.isEmpty else { throw .largeOrigins(excess.sorted { $0.precedes($1) }) }
            throw pool.shortage(of: least - left, beside: pool.required)
        }
        self.amount = amount
        let waste = coins.reduce(0) { $0 + SelectionProblem.waste(of: $1, at: rule.rate) }
        selection = CoinSelection(
            coins: coins, method: .prescribed, fee: paid, change: nil, waste: waste, virtualSize: size.virtualSize)
    }
}
