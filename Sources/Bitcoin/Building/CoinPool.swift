/// The coins of an order, divided by whether they must or may be spent.
struct CoinPool {
    /// Coins that must be spent.
    private(set) var required: [Coin] = []
    /// Coins that may be spent.
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
        // An order with coins that were picked by hand is refused, never silently changed.
        let missing = wanted.subtracting(required.map(\.outPoint)).min { $0.precedes($1) }
        if let missing { throw .unavailableCoin(missing) }
        // The plan does not depend on the order of the input.
        required.sort { $0.outPoint.precedes($1.outPoint) }
        available.sort { $0.outPoint.precedes($1.outPoint) }
    }

    /// Checks that no coin is listed twice, and no sum of coins overflows.
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

    /// Returns the refusal for insufficient coins.
    ///
    /// - Parameter required: the coins that would have been spent in any case.
    func shortage(of missing: Int64, beside required: [Coin]) -> PlanRefusal {
        let missing = (try? Amount(satoshis: UInt64(max(0, missing)))) ?? .maximum
        let all = (try? Amount.sum((required + available).map(\.amount))) ?? .maximum
        return .insufficientFunds(
            PlanRefusal.Shortage(missing: missing, available: all, frozen: frozen, waiting: waiting))
    }
}
