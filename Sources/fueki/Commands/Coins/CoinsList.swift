internal import Amounts
internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Nodes
internal import Payments
internal import Terminal
internal import Wallet

struct CoinsList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a wallet's coins, as a node says, and which of them are frozen.",
        discussion: """
            The most valuable come first. "dust" costs more to spend than it is worth, at the node's fees for --fee.

            EXAMPLE
              fueki coins list savings --node http://127.0.0.1:8332 \\
                  --cookie-file ~/.bitcoin/.cookie
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var addresses: AddressesOption

    @Option(help: ArgumentHelp("By which fees a coin is dust.", valueName: "hurry"))
    var fee = FeePriority.normal

    @OptionGroup var node: NodeOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainOption.Name, wallet: String) { (node, .bitcoin, wallet.name) }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let chain = try await node.bitcoin(for: wallet)
        let secret = try passphrase.existing()
        let frozen = try await global.walletHome.withBook(of: wallet, passphrase: secret) {
            (book) throws(CustodyError) in await book.frozen()
        }
        let coins = try await attempt { () async throws(PaymentError) in
            try await SpendableCoins.found(
                by: chain, for: wallet, reach: addresses.reach(of: wallet, in: global.walletHome),
                report: output.listener(for: wallet.name))
        }
        let rates = try await attempt { () async throws(NodeError) in try await chain.feeRates() }
        let list = CoinListView(coins, of: wallet, frozen: frozen, rate: rates.rate(fee))
        try output.result(list) { list.text }
    }
}

/// A wallet's coins as they are shown. Amounts are in satoshi, as decimal text.
struct CoinListView: Encodable {
    struct Entry: Encodable {
        let coin: String
        let amount: String
        let confirmations: UInt32
        let address: String
        let type: String
        /// `m/0/5`.
        let path: String
        let frozen: Bool
        /// Costs more to spend than it is worth.
        let dust: Bool
        /// New bitcoin that cannot be spent yet.
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

        /// The amount and what is to be known of it, and below it the coin's name, which is long.
        var lines: [String] {
            let worth = (try? UInt256(decimal: amount)).map { DecimalText.full($0, .bitcoin) } ?? amount
            let age = confirmations == 0 ? "waits" : "\(confirmations) confirmations"
            let marks = [frozen ? "frozen" : nil, dust ? "dust" : nil, immature ? "not yet spendable" : nil]
            let words = ["\(worth) BTC", "\(type) \(path)", age] + marks.compactMap(\.self)
            return [words.joined(separator: ", "), "  \(coin)"]
        }
    }

    let wallet: String
    let chain: String
    let coins: [Entry]
    /// Frozen, and not among the coins that were found: spent, or at addresses that were not looked at.
    let frozen_elsewhere: [String]
    let not_looked_at: UnlistedCoinsView?

    init(_ spendable: SpendableCoins, of wallet: WalletRecord, frozen: Set<OutPoint>, rate: FeeRate) {
        self.wallet = wallet.name.description
        chain = Chain.bitcoin(wallet.network).description
        coins = spendable.coins.sorted { $0.amount > $1.amount }.map {
            Entry($0, on: wallet.network, frozen: frozen, rate: rate)
        }
        frozen_elsewhere = frozen.subtracting(spendable.coins.map(\.outPoint)).map(\.description).sorted()
        not_looked_at = UnlistedCoinsView(spendable.unlisted)
    }

    var text: String {
        let elsewhere = frozen_elsewhere.map { "frozen, and not found here: \($0)" }
        let lines = coins.flatMap(\.lines) + elsewhere
        return lines.isEmpty ? "no coins" : lines.joined(separator: "\n")
    }
}
