internal import ErrorTexts
package import Exchange
package import ExchangeCredentials
package import Texts
internal import Time

/// An order of the exchange's list.
package struct ListedOrderView: Encodable {
    /// The exchange's id.
    let exchange_id: String
    /// The client's id; omitted for an order without one of Fueki's form.
    let id: String?
    let symbol: String
    let side: String
    /// The exchange's name of the kind: `limit`, `stop-loss-limit`.
    let type: String
    let amount: String
    let price: String?
    let filled: String
    let status: String
    let created: String?

    package init(_ order: ListedOrder, _ state: ListedOrder.State? = nil) {
        let state = state ?? order.state
        exchange_id = order.exchangeID
        id = order.clientID?.description
        symbol = order.symbol.text
        side = order.side.word
        type = order.type
        amount = order.amount.description
        price = order.price?.description
        filled = state.filled.description
        status = state.status.word
        created = order.created?.rfc3339
    }

    /// The cells of a table.
    var row: [String] {
        [
            exchange_id, "\(side) \(amount)", "of \(symbol)", price.map { "at \($0)" } ?? type,
            "\(status), \(filled) filled",
        ]
    }
}

/// The open orders of an account, and the orders of earlier commands that did not tell their outcome.
package struct OpenOrdersView: ResultView {
    let label: String
    let exchange: String
    let orders: [ListedOrderView]
    /// The number of entries that this version cannot read.
    let unreadable: Int
    /// The orders whose outcome no command has told.
    let earlier: [OrderOutcomeView]

    package init(
        _ open: OpenOrders, _ earlier: [EarlierOrder], of label: KeyLabel, at venue: Venue, time: LocalTime
    ) {
        self.label = label.text
        exchange = venue.rawValue
        orders = open.orders.map { ListedOrderView($0) }
        unreadable = open.unreadable
        self.earlier = earlier.map { OrderOutcomeView($0, by: label, time: time) }
    }

    package var text: String {
        let rows = orders.isEmpty ? (unreadable == 0 ? ["no open orders"] : []) : [Table(orders.map(\.row)).text]
        return (rows + UnreadableEntries.lines(unreadable) + earlier.map(\.line)).joined(separator: "\n")
    }
}

/// Orders that were cancelled, and what became of them.
package struct CancelledOrdersView: ResultView {
    struct Result: Encodable {
        let order: ListedOrderView
        /// `cancelled`, `filled`, `pending`, `accepted`, `refused`, `unknown` or `not_tried`.
        let outcome: String
    }

    let label: String
    let exchange: String
    let orders: [Result]
    /// The number of open orders that this version cannot read, and has not cancelled.
    let unreadable: Int
    /// The client's ids of this machine's orders that may still open.
    let may_open: [String]
    private let lines: [String]

    enum CodingKeys: String, CodingKey { case label, exchange, orders, unreadable, may_open }

    /// - Parameters:
    ///   - unreadable: the number of orders that were to be cancelled and that this version cannot read.
    ///   - mayOpen: the orders of this machine that may still open.
    package init(
        _ results: [CancelledOrder], unreadable: Int, mayOpen: [ClientOrderID], of label: KeyLabel, at venue: Venue
    ) {
        self.label = label.text
        self.unreadable = unreadable
        exchange = venue.rawValue
        may_open = mayOpen.map(\.description)
        orders = results.map { Result(order: ListedOrderView($0.order, $0.outcome.state), outcome: $0.outcome.word) }
        let told =
            results.map { "\($0.order.exchangeID) of \($0.order.symbol): \($0.outcome.words(of: $0.order))" }
            + UnreadableEntries.lines(unreadable)
        lines =
            (told.isEmpty ? ["no open orders"] : told)
            + may_open.map { "\($0): an order of this machine, may still open" }
    }

    package var text: String { lines.joined(separator: "\n") }

    /// The question's subject.
    package static func review(_ orders: [ListedOrder], by label: KeyLabel, at venue: Venue) -> String {
        "cancel with the key '\(label)' at \(venue.title):\n" + Table(orders.map { ListedOrderView($0).row }).text
    }

    /// The failure if an order may still be open, or may open; nil if all are closed.
    package var failure: Failure? {
        guard may_open.isEmpty else {
            return Failure(
                code: .unavailable, name: "order_may_open",
                message: "an order of this machine may still open at the exchange: \(may_open.joined(separator: ", "))",
                hint: "the same command looks for it again")
        }
        let isDone = orders.allSatisfy { ["cancelled", "filled"].contains($0.outcome) }
        guard !isDone || unreadable > 0 else { return nil }
        return Failure(
            code: .unavailable, name: "not_cancelled", message: "an order is or may be still open",
            hint: "the same command tries again; 'fueki exchange orders' lists the open ones")
    }

    /// The failure of a journal that cannot be read: the listed orders were cancelled.
    package static func unread(_ error: ExchangeError) -> Failure {
        Failure(
            code: error.failure.code, name: "journal_unread",
            message: "an order of this machine may still open at the exchange: the journal of orders cannot be read",
            hint: "'fueki exchange orders' tells the reason")
    }

    /// The failure of an id that no open order has.
    ///
    /// - Parameter mayOpen: the orders of this machine that may still open.
    package static func notOpen(_ id: String, mayOpen: [ClientOrderID]) -> Failure {
        guard mayOpen.isEmpty else {
            let ids = mayOpen.map(\.description).joined(separator: ", ")
            return Failure(
                code: .unavailable, name: "order_may_open",
                message: "no open order has the id \(id), but an order of this machine may still open at the exchange: "
                    + "\(ids); nothing was cancelled", hint: "the same command looks for it again")
        }
        return Failure(
            code: .missing, name: "no_open_order", message: "no open order has the id \(id); nothing was cancelled",
            hint: "'fueki exchange orders' lists the open ones")
    }

    /// The failure of an id that several open orders have.
    package static func ambiguous(_ id: String, _ orders: [ListedOrder]) -> Failure {
        let names = orders.map(\.name).joined(separator: ", ")
        return Failure(
            code: .usage, name: "ambiguous_order",
            message: "several open orders have the id \(id): \(names); nothing was cancelled",
            hint: "name the market with the id, as in this list")
    }
}

extension CancelOutcome {
    fileprivate var state: ListedOrder.State? {
        switch self {
        case .closed(let state), .pending(let state): state
        case .accepted, .refused, .unknown, .notTried: nil
        }
    }

    fileprivate var word: String {
        switch self {
        case .closed(let state): state.status == .filled ? "filled" : "cancelled"
        case .pending: "pending"
        case .accepted: "accepted"
        case .refused: "refused"
        case .unknown: "unknown"
        case .notTried: "not_tried"
        }
    }

    fileprivate func words(of order: ListedOrder) -> String {
        switch self {
        case .closed(let state) where state.status == .filled: "was filled before it could be cancelled"
        case .closed(let state):
            state.filled.isZero
                ? "cancelled, nothing of it was filled"
                : "cancelled, after \(state.filled) of \(order.amount) was filled"
        case .pending: "the exchange has not cancelled it yet"
        case .accepted: "the exchange accepted to cancel it, and has not told its state"
        case .refused: "the exchange refused to cancel it"
        case .unknown: "it is unknown whether it was cancelled"
        case .notTried: "not tried, and as it was"
        }
    }
}
