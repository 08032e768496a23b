public import Bitcoin

/// The choice of coins for a payment.
public struct CoinControl: Equatable, Sendable {
    /// The only coins that may be spent; empty for all that are not frozen.
    public var named: [OutPoint]
    /// The number of confirmations below which coins are not spent.
    ///
    /// With 0, the default, mined coins are spent first, and the wallet's own unconfirmed change only if they do not
    /// suffice. Coins from other senders are never spent before they are mined.
    public var leastConfirmations: UInt32

    /// Creates a choice.
    public init(only named: [OutPoint] = [], leastConfirmations: UInt32 = 0) {
        self.named = named
        self.leastConfirmations = leastConfirmations
    }

    /// Returns whether this coin is named, or no coin is named.
    func allows(_ coin: OutPoint) -> Bool { named.isEmpty || named.contains(coin) }

    /// Restricts the order to the named coins, and excludes frozen ones.
    ///
    /// - Parameter frozen: the frozen coins in the wallet's book.
    /// - Throws: ``PaymentError/coin(_:)``.
    func apply(to order: inout SpendOrder, frozen: Set<OutPoint>) throws(PaymentError) {
        if let kept = named.first(where: frozen.contains) { throw .coin(.frozen(kept)) }
        order.frozen.formUnion(frozen)
        order.leastConfirmations = max(order.leastConfirmations, leastConfirmations)
        guard !named.isEmpty else { return }
        let known = Set(order.coins.map(\.outPoint))
        if let missing = named.first(where: { !known.contains($0) }) { throw .coin(.unknown(missing)) }
        order.required.formUnion(named)
        order.frozen.formUnion(known.subtracting(order.required))
    }

    /// Returns whether an earlier planned transaction spends only named coins, and no frozen ones.
    func allows(_ psbt: PSBT, frozen: Set<OutPoint>) -> Bool {
        let spent = Set(psbt.unsignedTransaction.inputs.map(\.previousOutput))
        return spent.isDisjoint(with: frozen) && (named.isEmpty || spent == Set(named))
    }
}
