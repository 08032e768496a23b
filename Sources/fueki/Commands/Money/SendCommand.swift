internal import ArgumentParser
internal import ErrorTexts
internal import Terminal
internal import Texts
internal import Wallet

struct SendCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Pay addresses or contacts, on Bitcoin or Ethereum.",
        discussion: """
            The node says which coins there are and what a fee is. Before signing you see the decoded transaction; \
            each participant decodes it independently. It returns when the node has taken the payment; with --wait, \
            when it is mined.

            If it ends before it has printed a result, however it ends, or with exit code 74 because the result could not \
            be printed, give the same command again: it finds out what became of the payment, and pays once. Scripts give each payment a key (--once): then it is made once, however \
            often it is ordered.

            EXAMPLES
              fueki send savings --to bc1q… --amount 0.01btc --node http://127.0.0.1:8332 \\
                  --cookie-file ~/.bitcoin/.cookie
              fueki send savings --to alice --amount all --fee high --wait
              fueki send savings --to alice=0.01btc --to bc1q…=1500sat --once invoice-17
              fueki send savings --chain ethereum --to 0x… --amount 0.1eth
              fueki send savings --chain ethereum --to alice --amount 25 \\
                  --token 0x… --decimals 6

            See first what would be signed, and what the policy says to it:
              fueki send savings --to bc1q… --amount 0.01btc --dry-run
            """)

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var payees: PayeeOptions
    @OptionGroup var chain: WalletChainOption
    @OptionGroup var network: OtherNetworkOption
    @OptionGroup var fees: FeeOptions

    @Flag(help: "Wait until it is mined.")
    var wait = false

    @Flag(help: "Hand what was signed before, and never sent, to the node first, without asking (Ethereum).")
    var resend = false

    @OptionGroup var once: OnceOptions
    @OptionGroup var bitcoin: BitcoinOptions
    @OptionGroup var coins: CoinOptions
    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var token: TokenOptions
    @OptionGroup var gas: GasOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let chain = chain.of(wallet)
        try bitcoin.check(on: chain)
        try payees.check(on: chain, token: token.token)
        guard chain != .bitcoin || !resend else { throw ValidationError("--resend is for Ethereum") }
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
            wallet: wallet, node: node, fees: fees, signing: signing, waits: wait, global: global, output: output)
        switch chosen {
        case .bitcoin:
            try ethereum.refuseOnBitcoin()
            try token.refuseOnBitcoin()
            try gas.refuseOnBitcoin()
            try await BitcoinSending(payment: payment, options: bitcoin, coins: coins).send(to: payees, once)
        case .ethereum(let id):
            try network.check(id, for: wallet)
            try await EthereumSending(chain: id, payment: payment, options: ethereum).send(
                to: first, once, mayResend: resend, token: token, gas: gas)
        }
    }
}
