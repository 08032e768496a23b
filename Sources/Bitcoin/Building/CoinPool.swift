/// The coins of an order, by what may be done with them.
struct CoinPool {
    /// Spent in any case.
    private(set) var required: [Coin] = []
    /// May be spent.
    private(set) var available: [Coin] = []
    private var frozen = Amount.zero
    private var waiting = Amount.zero

    /// - Throws: ``PlanRefusal/duplicateCoin(_:)``, ``PlanRefusal/impossibleAmount``,
    ///   ``PlanRefusal/unavailableCoin(_:)``.
    init(
        _ coins: [Coin], required wanted: Set<OutPoint>, frozen kept: Set<OutPoint>, leastConfirmations: UInt32
    ) throws(PlanRefusal) {
        try Self.check(coins)
        for coin in coins {
            if kept.contains(coin.outPoint) {
                frozen = Self.sum(frozen, coin.amount)
            } else if coin.isImmature || coin.confirmations < leastConfirmations {
                waiting = Self.sum(waiting, coin.amount)
            } else if wanted.contains(coin.outPoint) {
                required.append(coin)
            } else {
                available.append(coin)
            }
        }
        // An order in which coins were picked by hand is refused, never changed in silence.
        let missing = wanted.subtracting(required.map(\.outPoint)).min { $0.precedes($1) }
        if let missing { throw .unavailableCoin(missing) }
        // Whatever order they came in, the same plan is made of them.
        required.sort { $0.outPoint.precedes($1.outPoint) }
        available.sort { $0.outPoint.precedes($1.outPoint) }
    }

    /// That no coin counts twice, and no sum of some of them overflows.
    ///
    /// - Throws: ``PlanRefusal/duplicateCoin(_:)``, ``PlanRefusal/impossibleAmount``.
    static func check(_ coins: [Coin]) throws(PlanRefusal) {
        var seen: Set<OutPoint> = []
        for coin in coins {
            guard seen.insert(coin.outPoint).inserted else { throw .duplicateCoin(coin.outPoint) }
        }
        guard (try? Amount.sum(coins.map(\.amount))) != nil else { throw .impossibleAmount }
    }

    private static func sum(_ left: Amount, _ right: Amount) -> Amount { (try? left.adding(right)) ?? .maximum }

    /// What a person is told when it is not enough.
    ///
    /// - Parameter required: what would have been spent in any case.
    func shortage(of missing: Int64, beside required: [Coin]) -> PlanRefusal {
        let missing = (try? Amount(satoshis: UInt64(max(0, missing)))) ?? .maximum
        let all = (try? Amount.sum((required + available).map(\.amount))) ?? .maximum
        return .insufficientFunds(
            PlanRefusal.Shortage(missing: missing, available: all, frozen: frozen, waiting: waiting))
    }
}
