package import Exchange
internal import Texts

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
