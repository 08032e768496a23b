internal import ArgumentParser
internal import Payments
internal import Terminal
internal import Texts
internal import Wallet

struct CancelCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Replace an unconfirmed transaction by one that pays only the wallet.",
        discussion: """
            It pays a higher fee, and everything comes back to the wallet. Whether the first one was faster is known when \
            one of them is mined. \(furtherOptions)

            EXAMPLES
              fueki cancel savings 5a…
              fueki cancel savings 0x5a… --chain ethereum
            """)

    @OptionGroup var options: ReplacingOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainName, wallet: String) {
        (options.node, options.chain.of(options.wallet), options.wallet.name)
    }

    func perform(_ output: Output) async throws(Failure) {
        switch options.chain.of(options.wallet) {
        case .bitcoin: try await options.bitcoin(global, output).cancel(options.transaction)
        case .ethereum(let id): try await options.replace(on: id, by: .cancellation, global, output)
        }
    }
}
