internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Nodes
internal import Payments
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct CoinsList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a wallet's coins, as its node reports them, and the frozen ones.",
        discussion: """
            The most valuable come first, and coins from mining that cannot be spent yet come last. "dust" costs more to \
            spend than it is worth, at the node's fees for --fee. \(furtherOptions)

            EXAMPLE
              fueki coins list savings --node http://127.0.0.1:8332 \\
                  --cookie-file ~/.bitcoin/.cookie
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var addresses: AddressesOption

    @Option(help: .value("hurry", "The fee level below which a coin is dust."))
    var fee = FeePriority.normal

    @OptionGroup var node: NodeOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) { (node, .bitcoin, wallet.name) }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let chain = try await node.bitcoin(for: wallet)
        let frozen = try await passphrase.withBook(of: wallet, in: global) {
            (book) throws(CustodyError) in await book.frozen()
        }
        let coins = try await attempt { () async throws(PaymentError) in
            try await SpendableCoins.found(
                by: chain, for: wallet, reach: addresses.reach(of: wallet, in: global.walletHome),
                report: output.listener(for: wallet.name))
        }
        let rates = try await attempt { () async throws(NodeError) in try await chain.feeRates() }
        guard let rate = rates.rate(fee) else { throw NodeError.noFeeEstimate(.dust).failure }
        let list = try CoinListView(
            coins, of: wallet, frozen: frozen, rate: rate, unit: global.unit(for: wallet))
        try output.result(list)
    }
}
