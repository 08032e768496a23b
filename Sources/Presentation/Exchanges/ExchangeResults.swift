package import Exchange
package import Texts

/// A key that was stored or removed.
package struct KeyChangeView: Encodable {
    /// The changes.
    package enum Change: String, Encodable, Sendable {
        case added, removed
    }

    let label: String
    let exchange: String
    let fingerprint: String
    let state: Change
    private let title: String

    enum CodingKeys: String, CodingKey { case label, exchange, fingerprint, state }

    package init(_ change: Change, _ label: KeyLabel, at venue: Venue, fingerprint: String) {
        state = change
        self.label = label.text
        exchange = venue.rawValue
        self.fingerprint = fingerprint
        title = venue.title
    }

    package var text: String {
        switch state {
        case .added:
            "the key '\(label)' of \(title) is stored\nnext: 'fueki exchange check \(label)' shows its rights and dangers"
        case .removed:
            "the key '\(label)' is removed from this machine\nit still works at \(title): delete it there if no other "
                + "machine uses it"
        }
    }
}

/// The balances of an account.
package struct ExchangeBalanceView: Encodable {
    struct Balance: Encodable {
        let asset: String
        /// The amount that can be used.
        let free: String
        /// The amount in open orders; omitted if the exchange does not tell it.
        let locked: String?
        /// Whether the account owes the amount.
        let owed: Bool
    }

    let label: String
    let exchange: String
    let balances: [Balance]

    package init(_ balances: [AssetBalance], of label: KeyLabel, at venue: Venue) {
        self.label = label.text
        exchange = venue.rawValue
        self.balances = balances.map {
            Balance(
                asset: $0.asset, free: $0.free.description,
                locked: $0.locked.flatMap { $0.isZero ? nil : $0.description }, owed: $0.isOwed)
        }
    }

    package var text: String {
        guard !balances.isEmpty else { return "no balances" }
        return Table(
            balances.map { balance in
                [
                    balance.asset, (balance.owed ? "-" : "") + balance.free,
                    balance.locked.map { "and \($0) in orders" } ?? (balance.owed ? "owed" : ""),
                ]
            }, alignedRight: [1]
        ).text.split(separator: "\n").map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
            .joined(separator: "\n")
    }
}

/// An order that the exchange would accept.
package struct OrderTestView: Encodable {
    let label: String
    let exchange: String
    let symbol: String
    let side: String
    let amount: String
    /// The limit; omitted for an order at the best price.
    let price: String?
    let valid = true
    private let title: String

    enum CodingKeys: String, CodingKey { case label, exchange, symbol, side, amount, price, valid }

    package init(_ order: Order, by label: KeyLabel) {
        self.label = label.text
        exchange = order.symbol.venue.rawValue
        title = order.symbol.venue.title
        symbol = order.symbol.text
        side = order.side == .buy ? "buy" : "sell"
        amount = order.amount.description
        price = order.price?.description
    }

    package var text: String {
        let terms = "\(side) \(amount) of \(symbol) \(price.map { "at \($0)" } ?? "at the best price")"
        return "\(title) would accept the order: \(terms)\nit was a test, and nothing was placed"
    }

    /// Returns the failure of an order that the exchange would refuse.
    package static func failure(_ refusal: Exchange.Refusal) -> Failure {
        refusal.failure(name: "order_refused", "the exchange would refuse the order")
    }
}
