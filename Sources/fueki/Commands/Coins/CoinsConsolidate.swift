internal import ArgumentParser
internal import Bitcoin
internal import Terminal
internal import Texts
internal import Wallet

struct CoinsConsolidate: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "consolidate", abstract: "Join a wallet's smallest coins into one, at a fresh address of its own.",
        discussion: """
            A payment spends at most 400 coins, and pays for each. While fees are low, join the small ones: as many of them as \
            one transaction can spend and --max-fee pays for, the smallest first. Frozen coins, and those that cost more than \
            they are worth, stay. Everybody sees then that the addresses of these coins belong together. \(furtherOptions)

            EXAMPLE
              fueki coins consolidate savings --fee low --max-fee 20000sat
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: .value("number", "Join at most so many coins."))
    var most = BitcoinLimits.ownInputs

    @OptionGroup var waiting: WaitOption
    @OptionGroup(title: "Fee") var fees: FeeOptions
    @OptionGroup var bitcoin: BitcoinOptions
    @OptionGroup(title: "Signing") var signing: SigningOptions
    @OptionGroup(title: "Node") var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) { (node, .bitcoin, wallet.name) }

    func validate() throws {
        guard (2...BitcoinLimits.ownInputs).contains(most) else {
            throw ValidationError("--most is 2 to \(BitcoinLimits.ownInputs)")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let payment = PaymentRun(
            wallet: try global.wallet(named: wallet.name), node: node, fees: fees, signing: signing,
            waits: waiting.wait,
            global: global, output: output)
        try await BitcoinSending(payment: payment, options: bitcoin).consolidate(most: most)
    }
}
