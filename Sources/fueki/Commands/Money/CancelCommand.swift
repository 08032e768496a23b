internal import ArgumentParser

struct CancelCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Put a transaction that pays nobody in the place of one that waits.",
        discussion: """
            It pays a higher fee, and everything comes back to the wallet. Whether the first one was faster is known when \
            one of them is mined.

            EXAMPLES
              fueki cancel savings 5a…
              fueki cancel savings 0x5a… --chain ethereum
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: ArgumentHelp("The transaction's id (Bitcoin) or hash (Ethereum).", valueName: "transaction"))
    var transaction: String

    @OptionGroup var chain: ChainOption
    @OptionGroup var fees: FeeOptions

    @Flag(help: "Wait until it is mined.")
    var wait = false

    @OptionGroup var bitcoin: BitcoinOptions
    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws { try bitcoin.check(on: chain.chain) }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        switch chain.chain {
        case .bitcoin:
            try ethereum.refuseOnBitcoin()
            try await BitcoinSending(
                wallet: wallet, node: node, options: bitcoin, fees: fees, signing: signing, waits: wait, global: global,
                output: output
            ).cancel(transaction)
        case .ethereum(let id):
            try await EthereumSending(
                chain: id, wallet: wallet, node: node, options: ethereum, global: global, output: output
            ).replace(transaction, by: .cancellation, fee: fees, signing: signing, waits: wait)
        }
    }
}
