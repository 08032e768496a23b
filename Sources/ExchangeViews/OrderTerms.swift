internal import ErrorTexts
package import Exchange
package import ExchangeCredentials
package import Texts

extension Order {
    /// The terms in words: `buy 0.01 of XBTUSD at 30000`.
    package var words: String {
        let terms = "\(side.word) \(amount) of \(symbol)"
        return switch kind {
        case .market: "\(terms) at the best price"
        case .limit(let price, .untilCancelled): "\(terms) at \(price)"
        case .limit(let price, .immediateOrCancel): "\(terms) at \(price), immediate or cancel"
        }
    }
}

extension Order.Side {
    /// The word for scripts and people.
    var word: String { self == .buy ? "buy" : "sell" }
}

extension PlacedOrder.Status {
    /// The word for scripts and people.
    var word: String {
        switch self {
        case .open: "open"
        case .partlyFilled: "partly filled"
        case .filled: "filled"
        case .ended: "ended"
        case .accepted: "accepted"
        }
    }
}

/// The review of an order before it is placed.
package struct OrderReview {
    private let order: Order
    private let label: KeyLabel

    package init(_ order: Order, by label: KeyLabel) { (self.order, self.label) = (order, label) }

    /// Returns the text for a person, in the width of the terminal.
    package func text(in width: Columns) -> StyledText {
        var rows: [LabelledRows.Row] = [
            .init("exchange", ["\(order.symbol.venue.title), with the key '\(label)'"]),
            .init(order.side.word, ["\(order.amount) of \(order.symbol)"]),
        ]
        switch order.kind {
        case .market: rows.append(.init("price", ["market price, no limit"], .warning))
        case .limit(let price, let time):
            rows.append(.init("price", ["\(order.side == .buy ? "at most" : "at least") \(price)"]))
            rows.append(
                .init("valid", [time == .untilCancelled ? "until it is cancelled" : "at once; the rest is cancelled"]))
        }
        return LabelledRows(rows).text(columns: width.sentences)
    }

    /// Returns the failure of an order without a question that has no limit of its price, or whose amount is above the
    /// limit of its market; nil for another one.
    ///
    /// - Parameter limit: the limit of the settings; nil if none is set.
    package func failure(limit: Quantity?) -> Failure? {
        // At the best price, an empty market would take any price.
        if case .market = order.kind {
            return Failure(
                code: .refused, name: "no_order_price", message: "without a question, an order needs a price",
                hint: "leave --yes out, or use --price; --immediate fills the order at once or cancels it")
        }
        let setting = "order-limit.\(order.symbol.venue.rawValue).\(order.symbol)"
        guard let limit else {
            return Failure(
                code: .refused, name: "no_order_limit",
                message: "without a question, an order needs a limit for its market in the settings",
                hint: "leave --yes out, or use 'fueki config set \(setting) AMOUNT'")
        }
        guard order.amount > limit else { return nil }
        return Failure(
            code: .refused, name: "above_order_limit",
            message:
                "the amount \(order.amount.description) is above the limit \(limit.description) for orders without a question",
            hint: "leave --yes out, or change the setting \(setting)")
    }
}

/// An order that the exchange would accept.
package struct OrderTestView: ResultView {
    let label: String
    let exchange: String
    let symbol: String
    let side: String
    let amount: String
    /// The limit; omitted for an order at the best price.
    let price: String?
    let valid = true
    private let order: Order

    enum CodingKeys: String, CodingKey { case label, exchange, symbol, side, amount, price, valid }

    package init(_ order: Order, by label: KeyLabel) {
        self.label = label.text
        exchange = order.symbol.venue.rawValue
        symbol = order.symbol.text
        side = order.side.word
        amount = order.amount.description
        price = order.price?.description
        self.order = order
    }

    package var text: String {
        "\(order.symbol.venue.title) would accept the order: \(order.words)\nit was a test, and nothing was placed"
    }

    /// Returns the failure of an order that the exchange would refuse.
    package static func failure(_ refusal: Exchange.Refusal) -> Failure {
        refusal.failure(name: "order_refused", "the exchange would refuse the order")
    }
}
