package import Bitcoin
package import Custody
internal import ErrorTexts
internal import HDKeys
package import Payments
internal import Texts
internal import Wallet

/// The list of a wallet's coins. Amounts are in satoshi, as decimal text.
package struct CoinListView: ResultView {
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
        /// The number of blocks after which an immature coin can be spent; nil for other coins.
        let blocks_left: UInt32?

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
            blocks_left = immature ? BitcoinLimits.coinbaseMaturity - coin.confirmations : nil
        }

        /// Returns the amount and the coin's state, and below them the coin's long name.
        func lines(in unit: BitcoinUnit) -> [String] {
            let age =
                if let blocks_left {
                    "spendable in \(blocks_left) block\(blocks_left == 1 ? "" : "s")"
                } else if confirmations == 0 {
                    "waits"
                } else {
                    "\(confirmations) confirmation\(confirmations == 1 ? "" : "s")"
                }
            let marks = [frozen ? "frozen" : nil, dust ? "dust" : nil]
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
        self.init(
            spendable.coins, UnlistedCoinsView(spendable.unlisted), of: wallet.name, on: wallet.network, frozen: frozen,
            rate: rate, unit: unit)
    }

    init(
        _ found: [Coin], _ unlisted: UnlistedCoinsView?, of wallet: WalletName, on network: Network,
        frozen: Set<OutPoint>, rate: FeeRate, unit: BitcoinUnit
    ) {
        self.unit = unit
        self.wallet = wallet.description
        chain = Chain.bitcoin(network).description
        coins = found.sorted { $0.amount > $1.amount }.map { Entry($0, on: network, frozen: frozen, rate: rate) }
        frozen_elsewhere = frozen.subtracting(found.map(\.outPoint)).map(\.description).sorted()
        not_looked_at = unlisted
    }

    /// The list for a person: the coins that can be spent, the most valuable first, then the immature ones, the oldest
    /// first.
    package var text: String {
        let young = coins.filter(\.immature).sorted { $0.confirmations > $1.confirmations }
        let heading = "not yet spendable, \(young.count) coin\(young.count == 1 ? "" : "s") from mining:"
        let sections = [
            coins.filter { !$0.immature }.flatMap { $0.lines(in: unit) },
            young.isEmpty ? [] : [heading] + young.flatMap { $0.lines(in: unit) },
            frozen_elsewhere.map { "frozen, and not found here: \($0)" },
        ]
        let text = sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
        return text.isEmpty ? "no coins" : text
    }
}
