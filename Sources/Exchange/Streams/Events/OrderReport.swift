public import Time

/// A report of an exchange about an order of the account.
public struct OrderReport: Equatable, Sendable {
    /// The states that a report tells.
    public enum Status: String, Sendable {
        /// Accepted; not filled yet.
        case open
        /// Filled in part.
        case partlyFilled = "partly filled"
        /// Filled.
        case filled
        /// Cancelled, perhaps after a part was filled.
        case cancelled
        /// Expired, perhaps after a part was filled.
        case expired
        /// Refused by the exchange's engine: the order has no effect.
        case rejected
        /// Another state, such as a changed order.
        case other
    }

    /// The exchange's id.
    public let exchangeID: String
    /// The client's id; nil for an order that another program made.
    public internal(set) var clientID: ClientOrderID?
    /// The market; nil if the exchange has not told it.
    public internal(set) var symbol: TradingSymbol?
    /// The side; nil if the exchange has not told it.
    public internal(set) var side: Order.Side?
    /// The amount of the order; nil if the exchange has not told it.
    public internal(set) var amount: Quantity?
    /// The limit; nil for an order at the best price, or if the exchange has not told it.
    public internal(set) var price: Quantity?
    /// The state.
    public let status: Status
    /// The filled amount; nil if the report does not tell it.
    public let filled: Quantity?
    /// The price of the trade that the report is about; nil for other reports.
    public let tradePrice: Quantity?
    /// The amount of the trade that the report is about; nil for other reports.
    public let tradeAmount: Quantity?
    /// The time, by the exchange's clock; nil if the report does not tell it.
    public let time: Timestamp?

    /// The order as an observation for the journal; nil for an order of another program, and for one that was refused.
    var placed: PlacedOrder? {
        guard let clientID, let status = placedStatus else { return nil }
        return PlacedOrder(id: clientID, exchangeID: exchangeID, status: status, filled: filled)
    }

    private var placedStatus: PlacedOrder.Status? {
        switch status {
        case .open: .open
        case .partlyFilled: .partlyFilled
        case .filled: .filled
        case .cancelled, .expired: .ended
        case .other: .accepted
        case .rejected: nil
        }
    }
}

/// The relation of a report to the journal of orders.
public enum OrderNote: Equatable, Sendable {
    /// The journal has the order, and now knows that the exchange has it.
    case noted
    /// The journal does not have the order: another program or a person made it.
    case foreign
    /// The journal has an order of this id with another side or amount. Nothing is noted.
    case otherTerms
    /// The report is about an order that the exchange refused. Nothing is noted.
    case notPlaced
    /// The journal could not be read or written.
    case failed(ExchangeError)
}
