public import PinnedHTTP

/// The outcome of an order that was to be placed.
public enum OrderOutcome: Equatable, Sendable {
    /// The exchange has the order.
    case placed(PlacedOrder, Evidence)
    /// The exchange refused the order, and it has no effect.
    case refused(Refusal)
    /// The exchange asks for a pause; it did not accept the order.
    case mustWait(Wait)
    /// No byte of the order left this machine.
    case notSent(HTTPFailure.Reason?)
    /// The exchange does not have the order and can no longer accept it.
    case absent
    /// The order may be at the exchange. Do not send another one in its place: call ``ExchangeClient/reconcile(_:)``
    /// later.
    case unknown(Doubt)

    /// The evidence that an order was placed.
    public enum Evidence: Equatable, Sendable {
        /// The answer to the order itself.
        case answer
        /// A query by the client's id, after the answer had been unclear.
        case query
        /// An observation from elsewhere, such as the exchange's stream of events.
        case observation
        /// The journal: the outcome was known before this call.
        case journal
    }

    /// Whether another order in place of this one could act twice.
    public var mayStillAct: Bool {
        switch self {
        case .placed, .unknown: true
        case .refused, .mustWait, .notSent, .absent: false
        }
    }
}

/// An order of an earlier call, with what became of it.
public struct EarlierOrder: Equatable, Sendable {
    /// The order in the journal.
    public let entry: JournalEntry
    /// The outcome.
    public let outcome: OrderOutcome
}

/// An order as its exchange knows it.
public struct PlacedOrder: Equatable, Sendable {
    /// The states of orders.
    public enum Status: UInt8, Sendable {
        /// Accepted; not filled yet.
        case open = 1
        /// Filled in part.
        case partlyFilled = 2
        /// Filled.
        case filled = 3
        /// Cancelled or expired, perhaps after a part was filled.
        case ended = 4
        /// Accepted; the answer does not tell the state.
        case accepted = 5
    }

    /// The client's id.
    public let id: ClientOrderID
    /// The exchange's id.
    public let exchangeID: String
    /// The state.
    public let status: Status
    /// The filled amount; nil if the answer does not tell it.
    public let filled: Quantity?

    /// Creates the description of an order, for an observation from the exchange's stream.
    ///
    /// - Returns: nil if the exchange's id has other characters than letters, digits and hyphens, or too many.
    public init?(id: ClientOrderID, exchangeID: String, status: Status, filled: Quantity?) {
        guard ListedOrder.isID(exchangeID) else { return nil }
        self.id = id
        self.exchangeID = exchangeID
        self.status = status
        self.filled = filled
    }
}

/// The result of a test, which places no order.
public enum OrderTest: Equatable, Sendable {
    /// The exchange would accept the order.
    case valid
    /// The exchange would refuse the order.
    case refused(Refusal)
}

/// A refusal by an exchange: the request had no effect. It contains no text of the server, which could repeat the
/// request.
public struct Refusal: Equatable, Sendable {
    /// The reasons.
    public enum Reason: UInt8, CaseIterable, Sendable {
        /// The key is unknown, has no such right, or this machine's address is not in its list.
        case keyOrAddressOrRight = 1
        /// The form of the key is wrong.
        case keyForm = 2
        /// The signature does not match: the secret belongs to another key. Not retried.
        case signature = 3
        /// The nonce is too low: another program uses the same key, or an earlier request overtook this one.
        case nonce = 4
        /// The clock differs by more than the window, or the window passed before the exchange acted.
        case time = 5
        /// The account does not have the funds.
        case funds = 6
        /// The exchange does not know the market.
        case symbol = 7
        /// The price is outside of the market's rules.
        case price = 8
        /// The amount is outside of the market's rules.
        case amount = 9
        /// The market does not accept orders now.
        case marketClosed = 10
        /// The account has too many orders.
        case tooManyOrders = 11
        /// The exchange does not know the order.
        case noSuchOrder = 12
        /// A parameter is missing or wrong.
        case parameter = 13
        /// Another reason.
        case other = 14
    }

    /// The reason.
    public let reason: Reason
    /// The code: Binance's number, or Kraken's text if it is one of the documented ones.
    public let code: String

    /// Whether the exchange refused the key and not the request.
    var isOfKey: Bool { [.keyOrAddressOrRight, .keyForm, .signature].contains(reason) }
}
