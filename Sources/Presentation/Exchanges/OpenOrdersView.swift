package import Exchange
package import Texts

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
package struct OpenOrdersView: Encodable {
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
package struct CancelledOrdersView: Encodable {
    struct Result: Encodable {
        let order: ListedOrderView
        /// `cancelled`, `filled`, `pending`, `refused` or `unknown`.
        let outcome: String
    }

    let label: String
    let exchange: String
    let orders: [Result]
    /// The number of open orders that this version cannot read, and has not cancelled.
    let unreadable: Int
    private let lines: [String]

    enum CodingKeys: String, CodingKey { case label, exchange, orders, unreadable }

    /// - Parameter unreadable: the number of orders that were to be cancelled and that this version cannot read.
    package init(
        _ results: [(ListedOrder, CancelOutcome)], unreadable: Int, of label: KeyLabel, at venue: Venue
    ) {
        self.label = label.text
        self.unreadable = unreadable
        exchange = venue.rawValue
        orders = results.map { order, outcome in
            Result(order: ListedOrderView(order, outcome.state), outcome: outcome.word)
        }
        lines =
            results.map { order, outcome in "\(order.exchangeID): \(outcome.words(of: order))" }
            + UnreadableEntries.lines(unreadable)
    }

    package var text: String { lines.isEmpty ? "no open orders" : lines.joined(separator: "\n") }

    /// The question's subject.
    package static func review(_ orders: [ListedOrder], by label: KeyLabel, at venue: Venue) -> String {
        "cancel with the key '\(label)' at \(venue.title):\n" + Table(orders.map { ListedOrderView($0).row }).text
    }

    /// The failure if an order may still be open; nil if all are closed.
    package var failure: Failure? {
        let isDone = orders.allSatisfy { ["cancelled", "filled"].contains($0.outcome) }
        guard !isDone || unreadable > 0 else { return nil }
        return Failure(
            code: .unavailable, name: "not_cancelled", message: "an order is or may be still open",
            hint: "the same command tries again; 'fueki exchange orders' lists the open ones")
    }

    /// The failure of an id that no open order has.
    package static func notOpen(_ id: String) -> Failure {
        Failure(
            code: .missing, name: "no_open_order",
            message: "no open order has the id \(id): it was filled or cancelled, or never was; nothing was cancelled",
            hint: "'fueki exchange orders' lists the open ones")
    }
}

extension CancelOutcome {
    fileprivate var state: ListedOrder.State? {
        switch self {
        case .closed(let state), .pending(let state): state
        case .refused, .unknown: nil
        }
    }

    fileprivate var word: String {
        switch self {
        case .closed(let state): state.status == .filled ? "filled" : "cancelled"
        case .pending: "pending"
        case .refused: "refused"
        case .unknown: "unknown"
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
        case .refused: "the exchange refused to cancel it"
        case .unknown: "it is unknown whether it was cancelled"
        }
    }
}
