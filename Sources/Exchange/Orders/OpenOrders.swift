/// The open orders of an account.
public struct OpenOrders: Equatable, Sendable {
    /// The orders.
    public let orders: [ListedOrder]
    /// The number of entries that this version cannot read. Only the exchange's page shows them.
    public let unreadable: Int

    init(_ entries: [ListedOrder?]) {
        orders = entries.compactMap { $0 }
        unreadable = entries.count - orders.count
    }
}

/// An order as the exchange lists it: also one that another program or a person placed.
public struct ListedOrder: Hashable, Sendable {
    /// The state of an order.
    public struct State: Hashable, Sendable {
        /// The status.
        public let status: PlacedOrder.Status
        /// The filled amount.
        public let filled: Quantity

        /// Whether the order can no longer be filled.
        public var isClosed: Bool { status == .filled || status == .ended }
    }

    /// The exchange's id.
    public let exchangeID: String
    /// The client's id; nil for an order without one in the form of this library.
    public let clientID: ClientOrderID?
    /// The market.
    public let symbol: TradingSymbol
    /// The side.
    public let side: Order.Side
    /// The exchange's name of the kind, in lower case: `limit`, `stop-loss-limit`.
    public let type: String
    /// The amount of the market's first asset.
    public let amount: Quantity
    /// The price; nil for an order without one.
    public let price: Quantity?
    /// The time at which it was placed; nil if the exchange does not tell it.
    public let created: Moment?
    /// The state at the time of the list.
    public let state: State

    /// Whether a text has the form of an exchange's order id.
    static func isID(_ text: String) -> Bool {
        (1...ExchangeLimits.nameCharacters).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { InputCheck.isAlphanumeric($0) || $0 == "-" }
    }
}

/// The outcome of the cancelling of an order.
public enum CancelOutcome: Equatable, Sendable {
    /// The order is closed: cancelled, or filled before. The state tells the filled amount.
    case closed(ListedOrder.State)
    /// The exchange has not closed the order yet.
    case pending(ListedOrder.State)
    /// The exchange refused, and the order is as it was.
    case refused(Refusal)
    /// The order may be open: the exchange did not tell its state.
    case unknown(Doubt)
}
