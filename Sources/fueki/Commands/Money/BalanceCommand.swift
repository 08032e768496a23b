internal import ArgumentParser
internal import Custody
internal import Nodes
internal import Payments
internal import Terminal

struct BalanceCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance", abstract: "Show what a wallet has, as a node says. Needs no passphrase.",
        discussion: """
            A node of your own learns nothing from it; an explorer sees which addresses are yours. What waits for a block \
            may never be mined.

            EXAMPLES
              fueki balance savings --node http://127.0.0.1:8332 \\
                  --cookie-file ~/.bitcoin/.cookie
              fueki balance savings --chain ethereum --node https://node.example
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var chain: ChainOption
    @OptionGroup var network: OtherNetworkOption
    @OptionGroup var addresses: AddressesOption
    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var token: TokenOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainOption.Name, wallet: String) { (node, chain.chain, wallet.name) }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        switch chain.chain {
        case .bitcoin:
            try ethereum.refuseOnBitcoin()
            try token.refuseOnBitcoin()
            let chain = try await node.bitcoin(for: wallet)
            let height = try await attempt { () async throws(NodeError) in try await chain.height() }
            let spendable = try await attempt { () async throws(PaymentError) in
                try await SpendableCoins.found(
                    by: chain, for: wallet, reach: addresses.reach(of: wallet, in: global.walletHome),
                    report: output.listener(for: wallet.name))
            }
            let balance = try BitcoinBalance(spendable, of: wallet, height: height)
            try output.result(balance) { balance.text }
        case .ethereum(let id):
            try network.check(id, for: wallet)
            try await EthereumSending(
                chain: id, wallet: wallet, node: node, options: ethereum, global: global, output: output
            ).balance(token)
        }
    }
}
