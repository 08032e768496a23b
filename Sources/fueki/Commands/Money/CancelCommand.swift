internal import ArgumentParser
internal import Payments
internal import Terminal

struct CancelCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Put a transaction that pays nobody in the place of one that waits.",
        discussion: """
            It pays a higher fee, and everything comes back to the wallet. Whether the first one was faster is known when \
            one of them is mined.

            EXAMPLES
              fueki cancel savings 5a…
              fueki cancel savings 0x5a… --chain ethereum
            """)

    @OptionGroup var options: ReplacingOptions
    @OptionGroup var global: GlobalOptions

    var asked: (node: NodeOptions, chain: ChainOption.Name, wallet: String) {
        (options.node, options.chain.chain, options.wallet.name)
    }

    func perform(_ output: Output) async throws(Failure) {
        switch options.chain.chain {
        case .bitcoin: try await options.bitcoin(global, output).cancel(options.transaction)
        case .ethereum(let id): try await options.replace(on: id, by: .cancellation, global, output)
        }
    }
}
