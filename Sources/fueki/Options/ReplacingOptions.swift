internal import ArgumentParser
internal import Ethereum
internal import Payments
internal import Terminal
internal import Texts

/// The options of `speed-up` and `cancel`: the unconfirmed transaction, and the terms of the one that replaces it.
struct ReplacingOptions: ParsableArguments {
    @OptionGroup var wallet: WalletArgument

    @Argument(help: .value("transaction", "The transaction's id (Bitcoin) or hash (Ethereum)."))
    var transaction: String

    @OptionGroup(title: "Payment") var chain: WalletChainOption
    @OptionGroup(title: "Payment") var network: OtherNetworkOption
    @OptionGroup(title: "Payment") var ethereum: EthereumOptions
    @OptionGroup(title: "Payment") var waiting: WaitOption
    @OptionGroup(title: "Fee") var fees: FeeOptions
    @OptionGroup var bitcoin: BitcoinOptions
    @OptionGroup(title: "Signing") var signing: SigningOptions
    @OptionGroup(title: "Node") var node: NodeOptions

    func validate() throws { try bitcoin.check(on: chain.of(wallet)) }

    /// Returns the Bitcoin side of the command.
    ///
    /// - Throws: a ``Failure`` if an option or the transaction belongs to Ethereum.
    func bitcoin(_ global: GlobalOptions, _ output: Output) throws(Failure) -> BitcoinSending {
        try ethereum.refuseOnBitcoin()
        if transaction.hasPrefix("0x") {
            throw .usage(
                "'\(transaction)' is not the id of a Bitcoin transaction",
                hint: "for an Ethereum transaction, add --chain ethereum")
        }
        return BitcoinSending(payment: try payment(global, output), options: bitcoin)
    }

    func replace(
        on chain: ChainID, by replacement: EthereumPayments.Replacement, _ global: GlobalOptions, _ output: Output
    ) async throws(Failure) {
        let payment = try payment(global, output)
        try network.check(chain, for: payment.wallet)
        try await EthereumSending(chain: chain, payment: payment, options: ethereum).replace(
            transaction, by: replacement)
    }

    private func payment(_ global: GlobalOptions, _ output: Output) throws(Failure) -> PaymentRun {
        PaymentRun(
            wallet: try global.wallet(named: wallet.name), node: node, fees: fees, signing: signing,
            waits: waiting.wait,
            global: global, output: output)
    }
}
