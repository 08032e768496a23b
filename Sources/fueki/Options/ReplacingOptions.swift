internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import Payments
internal import Terminal
internal import Wallet

/// What `speed-up` and `cancel` take: which transaction that waits, and on what conditions another one may take its place.
struct ReplacingOptions: ParsableArguments {
    @OptionGroup var wallet: WalletArgument

    @Argument(help: ArgumentHelp("The transaction's id (Bitcoin) or hash (Ethereum).", valueName: "transaction"))
    var transaction: String

    @OptionGroup var chain: ChainOption
    @OptionGroup var network: OtherNetworkOption
    @OptionGroup var fees: FeeOptions

    @Flag(help: "Wait until it is mined.")
    var wait = false

    @OptionGroup var bitcoin: BitcoinOptions
    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var signing: SigningOptions

    func validate() throws { try bitcoin.check(on: chain.chain) }

    /// - Throws: a ``Failure`` where something is meant that is on Ethereum.
    func bitcoin(_ global: GlobalOptions, _ output: Output) throws(Failure) -> BitcoinSending {
        try ethereum.refuseOnBitcoin()
        if transaction.hasPrefix("0x") {
            throw .usage(
                "'\(transaction)' is no transaction of Bitcoin",
                hint: "of Ethereum, it takes its chain: --chain ethereum")
        }
        return BitcoinSending(
            wallet: try global.wallet(named: wallet.name), node: node, options: bitcoin, fees: fees, signing: signing,
            waits: wait, global: global, output: output)
    }

    func replace(
        on chain: ChainID, by replacement: EthereumPayments.Replacement, _ global: GlobalOptions, _ output: Output
    ) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try network.check(chain, for: wallet)
        try await EthereumSending(
            chain: chain, wallet: wallet, node: node, options: ethereum, global: global,
            output: output
        ).replace(transaction, by: replacement, fee: fees, signing: signing, waits: wait)
    }
}
