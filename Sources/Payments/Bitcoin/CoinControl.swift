public import Bitcoin

/// Which coins a payment spends.
public struct CoinControl: Equatable, Sendable {
    /// Those and no others; empty for any that are not frozen.
    public var named: [OutPoint]

    /// Names the coins.
    public init(only named: [OutPoint] = []) { self.named = named }

    /// Has the order spend what is named, and nothing else, and nothing that is frozen.
    ///
    /// - Parameter frozen: by the wallet's book.
    /// - Throws: ``PaymentError/coin(_:)``.
    func apply(to order: inout SpendOrder, frozen: Set<OutPoint>) throws(PaymentError) {
        if let kept = named.first(where: frozen.contains) { throw .coin(.frozen(kept)) }
        order.frozen.formUnion(frozen)
        guard !named.isEmpty else { return }
        let known = Set(order.coins.map(\.outPoint))
        if let missing = named.first(where: { !known.contains($0) }) { throw .coin(.unknown(missing)) }
        order.required.formUnion(named)
        order.frozen.formUnion(known.subtracting(order.required))
    }

    /// Whether a transaction that was planned before spends what is named, and nothing that is frozen.
    func allows(_ psbt: PSBT, frozen: Set<OutPoint>) -> Bool {
        let spent = Set(psbt.unsignedTransaction.inputs.map(\.previousOutput))
        return spent.isDisjoint(with: frozen) && (named.isEmpty || spent == Set(named))
    }
}
