internal import ArgumentParser

struct SendCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Pay somebody: plan, show, sign with shares of a wallet, and hand to a node.",
        discussion: """
            The node says which coins there are and what a fee is; what is signed you see before, read from the very \
            bytes. It returns when the node has taken the payment; with --wait, when it is mined.

            If it ends without knowing whether the node has the payment, give the same command once more: it finds out, and \
            pays once. What a node has taken (also where it ends with "sent_not_seen") is not to be ordered again.

            EXAMPLES
              fueki send savings --to bc1q… --amount 0.01btc --node http://127.0.0.1:8332 \\
                  --cookie-file ~/.bitcoin/.cookie
              fueki send savings --to alice --amount all --fee high --wait
              fueki send savings --chain ethereum --to 0x… --amount 0.1eth
              fueki send savings --chain ethereum --to alice --amount 25 \\
                  --token 0x… --decimals 6

            See first what would be signed, and what the policy says to it:
              fueki send savings --to bc1q… --amount 0.01btc --dry-run
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: ArgumentHelp("Who is paid: an address, or the name of a contact.", valueName: "address"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "How much, with its unit: 0.01btc, 1500sat, 0.1eth, on Polygon 0.1pol; or 'all' (Bitcoin).",
            valueName: "amount"))
    var amount: String

    @OptionGroup var chain: ChainOption
    @OptionGroup var network: OtherNetworkOption
    @OptionGroup var fees: FeeOptions

    @Flag(help: "Wait until it is mined.")
    var wait = false

    @Flag(help: "Make a further payment, though the same one may be on its way (Bitcoin).")
    var again = false

    @OptionGroup var bitcoin: BitcoinOptions
    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var token: TokenOptions
    @OptionGroup var gas: GasOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        try bitcoin.check(on: chain.chain)
        guard chain.chain == .bitcoin || !again else { throw ValidationError("--again is for Bitcoin") }
    }

    var asked: (node: NodeOptions, chain: ChainOption.Name) { (node, chain.chain) }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        switch chain.chain {
        case .bitcoin:
            try ethereum.refuseOnBitcoin()
            try token.refuseOnBitcoin()
            try gas.refuseOnBitcoin()
            try await BitcoinSending(
                wallet: wallet, node: node, options: bitcoin, fees: fees, signing: signing, waits: wait, global: global,
                output: output
            ).send(to: to, amount: amount, isFurther: again)
        case .ethereum(let id):
            try network.check(id, for: wallet)
            try await EthereumSending(
                chain: id, wallet: wallet, node: node, options: ethereum, global: global, output: output
            ).send(
                to: to, amount: amount, token: token, gas: gas, fee: fees, signing: signing, waits: wait)
        }
    }
}
