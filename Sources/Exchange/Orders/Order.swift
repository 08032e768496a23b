internal import ExchangeCredentials

/// An order, before it is sent.
public struct Order: Equatable, Sendable {
    /// The sides of an order.
    public enum Side: UInt8, Sendable {
        /// Buys the first asset of the symbol.
        case buy = 1
        /// Sells the first asset of the symbol.
        case sell = 2
    }

    /// The validity of a limit order.
    public enum TimeInForce: UInt8, Sendable {
        /// Until it is cancelled.
        case untilCancelled = 1
        /// As much as can be filled at once; the rest is cancelled.
        case immediateOrCancel = 2
    }

    /// The kinds of orders.
    public enum Kind: Equatable, Sendable {
        /// At the best price.
        case market
        /// At this price or a better one.
        case limit(price: Quantity, TimeInForce)
    }

    /// The market.
    public let symbol: TradingSymbol
    /// The side.
    public let side: Side
    /// The kind, with the price.
    public let kind: Kind
    /// The amount of the symbol's first asset.
    public let amount: Quantity

    /// Creates an order.
    ///
    /// - Throws: ``ExchangeError/invalid(_:_:)`` if the amount or the price is zero.
    public init(_ side: Side, _ amount: Quantity, of symbol: TradingSymbol, _ kind: Kind) throws(ExchangeError) {
        guard !amount.isZero else { throw .invalid(.amount, .zero) }
        if case .limit(let price, _) = kind, price.isZero { throw .invalid(.price, .zero) }
        self.symbol = symbol
        self.side = side
        self.kind = kind
        self.amount = amount
    }

    /// The limit; nil for an order at the best price.
    public var price: Quantity? { if case .limit(let price, _) = kind { price } else { nil } }
}
