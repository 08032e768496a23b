internal import ExchangeCredentials
public import Time

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

    /// Returns the orders with a name: the exchange's id or the client's, or the market and the exchange's id with a colon
    /// between them. Binance's numbers belong to a market, and several orders can have the same.
    public func orders(named name: String) -> [ListedOrder] {
        orders.filter { $0.exchangeID == name || $0.clientID?.description == name || $0.name == name }
    }

    /// Whether an order of the journal is open.
    func contains(_ entry: JournalEntry) -> Bool { orders.contains { $0.clientID == entry.id } }
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
    public let created: Timestamp?
    /// The state at the time of the list.
    public let state: State

    /// The market and the exchange's id: `BTCUSDT:28`.
    public var name: String { "\(symbol):\(exchangeID)" }

    /// Whether a text has the form of an exchange's order id.
    static func isID(_ text: String) -> Bool {
        (1...ExchangeLimits.nameCharacters).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { InputCheck.isAlphanumeric($0) || $0 == "-" }
    }
}

/// The result of cancelling orders.
public struct Cancellation: Equatable, Sendable {
    /// The orders, as they were named.
    public let results: [CancelledOrder]
    /// The reason why the rest was not tried; nil if all were, or if the task was cancelled.
    public let failure: ExchangeError?
}

/// An order that the caller cancels, with the outcome.
public struct CancelledOrder: Equatable, Sendable {
    /// The order of the list.
    public let order: ListedOrder
    /// The outcome.
    public let outcome: CancelOutcome
}

/// The outcome of the cancelling of an order.
public enum CancelOutcome: Equatable, Sendable {
    /// The order is closed: cancelled, or filled before. The state tells the filled amount.
    case closed(ListedOrder.State)
    /// The exchange has not closed the order yet.
    case pending(ListedOrder.State)
    /// The exchange accepted to cancel the order, and did not tell its state.
    case accepted
    /// The exchange refused, and the order is as it was.
    case refused(Refusal)
    /// The order may be open: the exchange did not tell its state.
    case unknown(Doubt)
    /// The exchange was not asked to cancel the order, or asked for a pause instead: the order is as it was.
    case notTried
}
