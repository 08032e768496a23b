internal import ErrorTexts
package import Exchange
package import ExchangeCredentials
internal import PinnedHTTP
package import Texts

/// An order that the exchange has, or that it does not.
package struct OrderOutcomeView: ResultView, Sendable {
    let label: String
    let exchange: String
    /// The client's id.
    let id: String
    /// The exchange's id; omitted if the exchange does not have the order, or has not told it.
    let exchange_id: String?
    let symbol: String
    let side: String
    let amount: String
    /// The limit; omitted for an order at the best price.
    let price: String?
    /// `placed`, `refused`, `not_sent`, `absent` or `unknown`.
    let state: String
    /// The status of a placed order: `open`, `partly filled`, `filled`, `ended` or `accepted`.
    let status: String?
    /// The filled amount; omitted if the exchange does not tell it.
    let filled: String?
    /// Whether an earlier command sent the order, and this one only looked for it.
    let earlier: Bool
    private let order: Order
    private let outcome: OrderOutcome
    private let hasCallersID: Bool
    /// The time of the earlier command, for a person.
    private let sent: String

    enum CodingKeys: String, CodingKey {
        case label, exchange, id, exchange_id, symbol, side, amount, price, state, status, filled, earlier
    }

    package init(
        _ order: Order, _ id: ClientOrderID, _ outcome: OrderOutcome, by label: KeyLabel, earlier: Bool,
        hasCallersID: Bool = false, sent: String? = nil
    ) {
        self.label = label.text
        exchange = order.symbol.venue.rawValue
        self.id = id.description
        symbol = order.symbol.text
        side = order.side.word
        amount = order.amount.description
        price = order.price?.description
        var placed: PlacedOrder?
        if case .placed(let found, _) = outcome { placed = found }
        exchange_id = placed?.exchangeID
        status = placed?.status.word
        filled = placed?.filled?.description
        state = outcome.word
        self.earlier = earlier
        self.order = order
        self.outcome = outcome
        self.hasCallersID = hasCallersID
        self.sent = sent.map { " on \($0)" } ?? ""
    }

    /// The order of an earlier command.
    ///
    /// - Parameter time: the time zone of the person, for the text.
    package init(_ found: EarlierOrder, by label: KeyLabel, time: LocalTime) {
        self.init(
            found.entry.order, found.entry.id, found.outcome, by: label, earlier: true,
            sent: time.text(found.entry.created))
    }

    /// The text of an order that the exchange has.
    package var text: String {
        let title = order.symbol.venue.title
        guard let exchange_id else { return "\(title) does not have the order: \(order.words)" }
        let filled = filled.map { ", \($0) filled" } ?? ""
        let end: String =
            if earlier, hasCallersID {
                "\nan earlier command sent it, and nothing was sent now: another order takes another id. "
                    + "'fueki exchange orders \(label)' lists the open orders"
            } else if earlier {
                "\nan earlier command sent it\(sent), and nothing was sent now: for another one, give the command again"
            } else { "" }
        return "\(title) has the order \(exchange_id): \(order.words)\n\(status ?? "accepted")\(filled); id \(id)\(end)"
    }

    /// One line about an order whose outcome an earlier command did not tell.
    var line: String {
        let found = exchange_id.map { "placed as \($0), \(status ?? "accepted")" } ?? outcome.words
        return "an earlier command's order\(sent), \(order.words): \(found)"
    }

    /// The failure of an order that the exchange does not have, or may have; nil if it has the order.
    package var failure: Failure? {
        switch outcome {
        case .placed: nil
        case .refused(let refusal):
            detailed(refusal.failure(name: "order_refused", "the exchange refused the order"))
        case .mustWait(let wait): detailed(ExchangeError.mustWait(wait).failure)
        case .notSent(let reason):
            Failure(
                code: .unavailable, name: "order_not_sent",
                message: reason == .notConnected || reason == nil
                    ? "the exchange cannot be reached; nothing was sent" : "the connection failed; nothing was sent",
                details: self)
        case .absent:
            Failure(
                code: .unavailable, name: "order_absent",
                message: "the exchange does not have the order, and can no longer accept it", hint: "try again",
                details: self)
        case .unknown(let doubt):
            Failure(
                code: .unavailable, name: "order_unknown",
                message: "the order may be at the exchange: \(doubt.clause)",
                hint:
                    "the same command looks for it and sends nothing while it may be there; do not place it elsewhere",
                details: self)
        }
    }

    private func detailed(_ failure: Failure) -> Failure {
        var failure = failure
        failure.details = self
        return failure
    }
}

extension OrderOutcome {
    /// The word for scripts.
    var word: String {
        switch self {
        case .placed: "placed"
        case .refused: "refused"
        case .mustWait, .notSent: "not_sent"
        case .absent: "absent"
        case .unknown: "unknown"
        }
    }

    fileprivate var words: String {
        switch self {
        case .placed: "placed"
        case .refused: "refused"
        case .mustWait, .notSent: "not sent"
        case .absent: "not at the exchange"
        case .unknown: "may be at the exchange"
        }
    }
}

extension OrderOutcome {
    /// Whether the exchange was not asked: this machine's journal knew that it has the order.
    package var isKnownFromJournal: Bool { if case .placed(_, .journal) = self { true } else { false } }
}
