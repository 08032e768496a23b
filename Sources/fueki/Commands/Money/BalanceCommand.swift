internal import ArgumentParser
internal import Custody
internal import Nodes
internal import Payments
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

struct BalanceCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance", abstract: "Show a wallet's balance, as its node reports it. Needs no passphrase.",
        discussion: """
            A node of your own learns nothing from it; an explorer sees which addresses are yours. What waits for a block \
            may never be mined. \(furtherOptions)

            EXAMPLES
              fueki balance savings --node http://127.0.0.1:8332 \\
                  --cookie-file ~/.bitcoin/.cookie
              fueki balance savings --chain ethereum --node https://node.example
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var chain: WalletChainOption
    @OptionGroup var network: OtherNetworkOption
    @OptionGroup var addresses: AddressesOption
    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var token: TokenOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) { (node, chain.of(wallet), wallet.name) }

    func perform(_ output: Output) async throws(Failure) {
        let chosen = chain.of(wallet)
        let wallet = try global.wallet(named: wallet.name)
        switch chosen {
        case .bitcoin:
            try ethereum.refuseOnBitcoin()
            try token.refuseOnBitcoin()
            let chain = try await node.bitcoin(for: wallet)
            let (height, lag) = try await attempt { () async throws(NodeError) in
                (try await chain.height(), try await chain.lag())
            }
            let spendable = try await attempt { () async throws(PaymentError) in
                try await SpendableCoins.found(
                    by: chain, for: wallet, reach: addresses.reach(of: wallet, in: global.walletHome),
                    report: output.listener(for: wallet.name))
            }
            let balance = try BitcoinBalance(
                spendable, of: wallet, height: height, lag: lag, unit: global.unit(for: wallet))
            for warning in balance.warnings ?? [] { output.note("warning: \(warning)") }
            try output.result(balance) { balance.text }
        case .ethereum(let id):
            try network.check(id, for: wallet)
            let node = try await node.ethereum(chain: id, for: wallet)
            let held = try await token.read(on: node)
            let balance = try await attempt { () async throws(PaymentError) in
                try await EthereumBalance(of: wallet, account: ethereum.account, token: held, on: node)
            }
            let lag = try await attempt { () async throws(NodeError) in try await node.lag() }
            let view = EthereumBalanceView(balance, of: wallet, on: id, held, lag: lag)
            for warning in view.warnings ?? [] { output.note("warning: \(warning)") }
            try output.result(view) { view.text }
        }
    }
}
