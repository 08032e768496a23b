package import Bitcoin
package import Custody
internal import ErrorTexts
internal import HDKeys
package import Payments
internal import Wallet

/// The list of a wallet's coins. Amounts are in satoshi, as decimal text.
package struct CoinListView: Encodable {
    struct Entry: Encodable {
        let coin: String
        let amount: String
        let confirmations: UInt32
        let address: String
        let type: String
        /// The derivation path: `m/0/5`.
        let path: String
        let frozen: Bool
        /// Whether spending the coin costs more than its amount.
        let dust: Bool
        /// Whether the coin is a coinbase output that cannot be spent yet.
        let immature: Bool

        init(_ coin: Coin, on network: Network, frozen: Set<OutPoint>, rate: FeeRate) {
            self.coin = coin.outPoint.description
            amount = "\(coin.amount.satoshis)"
            confirmations = coin.confirmations
            address = Address<Checked>(coin.key.scriptPubKey, on: network)?.description ?? ""
            type = if case .segwit = coin.key { "segwit" } else { "taproot" }
            path = coin.key.path.description
            self.frozen = frozen.contains(coin.outPoint)
            dust = !coin.isWorthSpending(at: rate)
            immature = coin.isYoung
        }

        /// Returns the amount and the coin's state, and below them the coin's long name.
        func lines(in unit: BitcoinUnit) -> [String] {
            let age = confirmations == 0 ? "waits" : "\(confirmations) confirmation\(confirmations == 1 ? "" : "s")"
            let marks = [frozen ? "frozen" : nil, dust ? "dust" : nil, immature ? "not yet spendable" : nil]
            let words = [unit.full(decimal: amount), "\(type) \(path)", age] + marks.compactMap(\.self)
            return [words.joined(separator: ", "), "  \(coin)"]
        }
    }

    let wallet: String
    let chain: String
    let coins: [Entry]
    /// The frozen coins that were not found: they are spent, or their addresses were not searched.
    let frozen_elsewhere: [String]
    let not_looked_at: UnlistedCoinsView?
    /// The unit of amounts in the text.
    private let unit: BitcoinUnit

    private enum CodingKeys: CodingKey { case wallet, chain, coins, frozen_elsewhere, not_looked_at }

    package init(
        _ spendable: SpendableCoins, of wallet: WalletRecord, frozen: Set<OutPoint>, rate: FeeRate,
        unit: BitcoinUnit = .btc
    ) {
        self.unit = unit
        self.wallet = wallet.name.description
        chain = Chain.bitcoin(wallet.network).description
        coins = spendable.coins.sorted { $0.amount > $1.amount }.map {
            Entry($0, on: wallet.network, frozen: frozen, rate: rate)
        }
        frozen_elsewhere = frozen.subtracting(spendable.coins.map(\.outPoint)).map(\.description).sorted()
        not_looked_at = UnlistedCoinsView(spendable.unlisted)
    }

    package var text: String {
        let elsewhere = frozen_elsewhere.map { "frozen, and not found here: \($0)" }
        let lines = coins.flatMap { $0.lines(in: unit) } + elsewhere
        return lines.isEmpty ? "no coins" : lines.joined(separator: "\n")
    }
}
