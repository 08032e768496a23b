internal import Bitcoin
package import Payments

/// The coins that a node lists and this program did not examine.
package struct UnlistedCoinsView: Encodable {
    let count: Int
    /// The sum of these coins in satoshi, as the node states it.
    let amount: String
    /// The addresses with too many coins to list all of them.
    let crowded: [String]

    /// Returns nil if every coin was examined.
    package init?(_ unlisted: UnlistedCoins) {
        guard !unlisted.isEmpty else { return nil }
        count = unlisted.count
        amount = "\(unlisted.worth.satoshis)"
        crowded = unlisted.crowded.map(\.description)
    }
}

extension Coin {
    /// Whether the coin is an immature coinbase output.
    var isYoung: Bool { isCoinbase && confirmations < BitcoinLimits.coinbaseMaturity }
}
