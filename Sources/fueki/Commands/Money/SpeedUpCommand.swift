internal import ArgumentParser

struct SpeedUpCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed-up", abstract: "Pay more for a transaction that waits too long to be mined.",
        discussion: """
            A payment of the wallet's own is replaced by one that pays the same and a higher fee. On Bitcoin, what others \
            pay to the wallet is pushed by a child that spends it and pays for both.

            EXAMPLES
              fueki speed-up savings 5a… --fee high
              fueki speed-up savings 0x5a… --chain ethereum
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
            ).speedUp(transaction)
        case .ethereum(let id):
            try await EthereumSending(
                chain: id, wallet: wallet, node: node, options: ethereum, global: global, output: output
            ).replace(transaction, by: .faster, fee: fees, signing: signing, waits: wait)
        }
    }
}
