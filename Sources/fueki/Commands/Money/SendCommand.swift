internal import ArgumentParser
internal import Terminal
internal import Texts
internal import Wallet

struct SendCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Pay addresses or contacts, on Bitcoin or Ethereum.",
        discussion: """
            Before signing you see the decoded transaction; each participant decodes it independently. If the command ends \
            without a result, or with exit code 74, give it again: it finds the payment, and pays once. \(furtherOptions)

            EXAMPLES
              fueki send savings --to bc1q… --amount 0.01btc --node http://127.0.0.1:8332
              fueki send savings --to alice --amount all --fee high --wait
              fueki send savings --to alice=0.01btc --to bc1q…=1500sat --once invoice-17
              fueki send savings --chain ethereum --to alice --amount 25 --token usdc
              fueki send savings --to bc1q… --amount 0.01btc --dry-run
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup(title: "Payment") var payees: PayeeOptions
    @OptionGroup(title: "Payment") var chain: WalletChainOption
    @OptionGroup(title: "Payment") var token: TokenOptions
    @OptionGroup(title: "Payment") var once: OnceOptions
    @OptionGroup(title: "Payment") var waiting: WaitOption
    @OptionGroup(title: "Payment") var coins: CoinOptions
    @OptionGroup(title: "Payment") var ethereum: EthereumOptions
    @OptionGroup(title: "Payment") var network: OtherNetworkOption
    @OptionGroup(title: "Payment", visibility: .hidden) var gas: GasOptions
    @OptionGroup(title: "Fee") var fees: FeeOptions
    @OptionGroup var bitcoin: BitcoinOptions
    @OptionGroup(title: "Signing") var signing: SigningOptions
    @OptionGroup(title: "Node") var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let chain = chain.of(wallet)
        try bitcoin.check(on: chain)
        try payees.check(on: chain, token: token.token)
        guard try chain == .bitcoin || payees.payees().count == 1 else {
            throw ValidationError("a transaction of Ethereum pays one payee: give each an order of its own")
        }
        guard chain == .bitcoin || coins.isEmpty else {
            throw ValidationError("--coin and --min-confirmations are for Bitcoin")
        }
    }

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) { (node, chain.of(wallet), wallet.name) }

    func perform(_ output: Output) async throws(Failure) {
        let chosen = chain.of(wallet)
        let wallet = try global.wallet(named: wallet.name)
        guard let payees = try? payees.payees(), let first = payees.first else { throw .usage("--to is missing") }
        for words in self.payees.words { output.note(Wrapped.text(words)) }
        let payment = PaymentRun(
            wallet: wallet, node: node, fees: fees, signing: signing, waits: waiting.wait, global: global,
            output: output)
        switch chosen {
        case .bitcoin:
            try ethereum.refuseOnBitcoin()
            try token.refuseOnBitcoin()
            try gas.refuseOnBitcoin()
            try await BitcoinSending(payment: payment, options: bitcoin, coins: coins).send(to: payees, once)
        case .ethereum(let id):
            try network.check(id, for: wallet)
            try await EthereumSending(chain: id, payment: payment, options: ethereum).send(
                to: first, once, mayResend: gas.resend, token: token, gas: gas)
        }
    }
}
