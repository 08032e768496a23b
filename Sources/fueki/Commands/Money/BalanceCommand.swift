internal import ArgumentParser

struct BalanceCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance", abstract: "Show what a wallet has, as a node says. Needs no passphrase.",
        discussion: """
            EXAMPLE
              fueki balance savings --node http://127.0.0.1:8332 --cookie-file ~/.bitcoin/.cookie
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var chain: ChainOption
    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        switch chain.chain {
        case .bitcoin:
            throw Failure(code: .other, name: "missing", message: "not made yet")
        case .ethereum(let id):
            try await EthereumSending(
                chain: id, wallet: wallet, node: node, options: ethereum, global: global, output: output
            ).balance()
        }
    }
}
