public import Time

/// The best prices of a market.
public struct Quote: Equatable, Sendable {
    /// The market.
    public let symbol: TradingSymbol
    /// The highest price that a buyer offers.
    public let bid: Quantity
    /// The amount that is wanted at this price.
    public let bidAmount: Quantity
    /// The lowest price that a seller asks for.
    public let ask: Quantity
    /// The amount that is for sale at this price.
    public let askAmount: Quantity
}

/// A trade of a market.
public struct MarketTrade: Equatable, Sendable {
    /// The market.
    public let symbol: TradingSymbol
    /// The price.
    public let price: Quantity
    /// The amount of the symbol's first asset.
    public let amount: Quantity
    /// The side of the order that came second and caused the trade.
    public let side: Order.Side
    /// The time of the trade, by the exchange's clock; nil if the message does not tell it.
    public let time: Timestamp?
}
