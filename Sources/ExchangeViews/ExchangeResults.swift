internal import ErrorTexts
package import Exchange
package import ExchangeCredentials
internal import Texts

/// A key that was stored or removed.
package struct KeyChangeView: ResultView {
    /// The changes.
    package enum Change: String, Encodable, Sendable {
        case added, removed
    }

    let label: String
    let exchange: String
    let fingerprint: String
    let state: Change
    /// The ids of the key's orders whose outcome is unknown; omitted without one.
    let unknown_orders: [String]?
    private let title: String

    enum CodingKeys: String, CodingKey { case label, exchange, fingerprint, state, unknown_orders }

    package init(
        _ change: Change, _ label: KeyLabel, at venue: Venue, fingerprint: String, unsettled: [JournalEntry] = []
    ) {
        state = change
        unknown_orders = unsettled.isEmpty ? nil : unsettled.map(\.id.description)
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
                + "machine uses it" + (unknown_orders.map { "\n" + Self.warning($0, at: title) } ?? "")
        }
    }

    /// Returns the warning that a key is removed before the outcome of its orders is known; nil if it is.
    package static func warning(about unsettled: [JournalEntry], at venue: Venue) -> String? {
        unsettled.isEmpty ? nil : warning(unsettled.map(\.id.description), at: venue.title)
    }

    private static func warning(_ orders: [String], at title: String) -> String {
        "orders of unknown outcome, which only the page of \(title) shows without the key: "
            + orders.joined(separator: ", ")
    }
}

/// The balances of an account.
package struct ExchangeBalanceView: ResultView {
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
    /// The number of entries that this version cannot read.
    let unreadable: Int

    package init(_ balances: AccountBalances, of label: KeyLabel, at venue: Venue) {
        self.label = label.text
        exchange = venue.rawValue
        unreadable = balances.unreadable
        self.balances = balances.assets.map {
            Balance(
                asset: $0.asset, free: $0.free.description,
                locked: $0.locked.flatMap { $0.isZero ? nil : $0.description }, owed: $0.isOwed)
        }
    }

    package var text: String {
        let table = Table(
            balances.map { balance in
                [
                    balance.asset, (balance.owed ? "-" : "") + balance.free,
                    balance.locked.map { "and \($0) in orders" } ?? (balance.owed ? "owed" : ""),
                ]
            }, alignedRight: [1]
        ).text.split(separator: "\n").map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
        let rows = balances.isEmpty && unreadable == 0 ? ["no balances"] : table
        return (rows + UnreadableEntries.lines(unreadable)).joined(separator: "\n")
    }
}

/// The entries of an exchange's list that this version cannot read.
enum UnreadableEntries {
    /// The line for a person; none without such entries.
    static func lines(_ count: Int) -> [String] {
        switch count {
        case 0: []
        case 1: ["and one entry that this version cannot read: the exchange's page shows it"]
        default: ["and \(count) entries that this version cannot read: the exchange's page shows them"]
        }
    }
}
