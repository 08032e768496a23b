internal import Encoding
internal import Time

/// A request in the words of this module.
enum Call: Sendable {
    /// The exchange's time.
    case time
    /// The account's balances.
    case balances
    /// The key's rights.
    case rights
    /// A test of an order.
    case test(Order, ClientOrderID)
    /// An order.
    case place(Order, ClientOrderID)
    /// A query for an order by its id; on Kraken among the open ones.
    case find(ClientOrderID, TradingSymbol)
    /// A query for an order by its id among Kraken's closed ones.
    case findClosed(ClientOrderID)
    /// The open orders: of one market, or all. Kraken has one query for all.
    case openOrders(TradingSymbol?)
    /// A query for the states of orders, which may be closed by now. ``Dialect/ordersInQuery`` limits their number.
    case look([OrderName])
    /// The cancelling of an order of a list. Repeated, it changes nothing.
    case cancel(ListedOrder)
    /// The token for the stream of the account's orders at Kraken.
    case streamToken

    /// Whether the exchange may act on the request.
    var isOrder: Bool { if case .place = self { true } else { false } }
    /// Whether the request cancels an order.
    var isCancelling: Bool { if case .cancel = self { true } else { false } }
}

/// The exchange's name of an order. A number of Binance's belongs to its market.
struct OrderName: Sendable {
    let symbol: TradingSymbol
    let exchangeID: String
}

extension OrderName {
    init(_ order: ListedOrder) { self.init(symbol: order.symbol, exchangeID: order.exchangeID) }
}

/// The values that make one attempt at a request unique.
struct Stamp: Sendable {
    /// The exchange's time.
    let time: Timestamp
    /// The time from then within which the exchange may begin to act.
    let window: Timestamp.Span
    /// The nonce; 0 for an exchange without nonces.
    let nonce: UInt64
}

/// An answer of an exchange, as far as all requests have it in common.
enum Answer: Sendable {
    /// The request succeeded, with this result.
    case success(JSON)
    /// The exchange did not act, and says why.
    case refused(Refusal)
    /// The exchange did not act, because of the time in the request.
    case clock(Refusal)
    /// The exchange did not act, and asks for a pause.
    case wait(WaitRecord)
    /// The exchange asks for a pause, and may have acted.
    case unclearWait(WaitRecord)
    /// The exchange may have acted.
    case unclear(Doubt)

    /// The pause that the exchange asks for.
    var pause: WaitRecord? {
        switch self {
        case .wait(let record), .unclearWait(let record): record
        case .success, .refused, .clock, .unclear: nil
        }
    }

    /// Returns the result.
    ///
    /// - Throws: the error that every other answer stands for.
    func result() throws(ExchangeError) -> JSON {
        switch self {
        case .success(let result): return result
        case .refused(let refusal): throw .refused(refusal)
        case .clock: throw .clock
        case .wait(let record), .unclearWait(let record): throw .mustWait(record.wait)
        case .unclear(let doubt): throw .unclear(doubt)
        }
    }
}

/// The result of a query for an order by its id.
enum Found: Equatable, Sendable {
    /// The exchange has the order.
    case order(PlacedOrder)
    /// The exchange has it, and refused it.
    case refused(Refusal)
    /// An order with this id exists, with other terms.
    case otherTerms
    /// The exchange does not have it.
    case nothing
    /// The answer does not tell.
    case unclear
}
