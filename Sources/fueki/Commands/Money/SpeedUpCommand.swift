internal import ArgumentParser
internal import Payments
internal import Terminal
internal import Texts
internal import Wallet

struct SpeedUpCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed-up", abstract: "Raise the fee of an unconfirmed transaction.",
        discussion: """
            A payment of the wallet's own is replaced by one that pays the same and a higher fee. On Bitcoin, what others \
            pay to the wallet is pushed by a child that spends it and pays for both. \(furtherOptions)

            EXAMPLES
              fueki speed-up savings 5a… --fee high
              fueki speed-up savings 0x5a… --chain ethereum
            """)

    @OptionGroup var options: ReplacingOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) {
        (options.node, options.chain.of(options.wallet), options.wallet.name)
    }

    func perform(_ output: Output) async throws(Failure) {
        switch options.chain.of(options.wallet) {
        case .bitcoin: try await options.bitcoin(global, output).speedUp(options.transaction)
        case .ethereum(let id): try await options.replace(on: id, by: .faster, global, output)
        }
    }
}
