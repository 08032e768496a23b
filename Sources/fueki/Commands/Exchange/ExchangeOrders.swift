internal import ArgumentParser
internal import Exchange
internal import Presentation
internal import Terminal
internal import Texts

struct ExchangeOrders: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders", abstract: "List the open orders of a key's account.",
        discussion: """
            Lists all open orders, whoever placed them. An order of an earlier command that was interrupted is looked for, \
            and what became of it is told once.

            EXAMPLES
              fueki exchange orders main
              fueki exchange orders bot --market ETHUSDT --json
            """)

    @OptionGroup var request: KeyRequestOptions

    @Option(help: ArgumentHelp("Only the orders of this market, as the exchange writes it.", valueName: "symbol"))
    var market: String?

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try await request.session(in: global.exchangeHome) { client async throws(Failure) in
            let (open, earlier) = try await attempt { () async throws(ExchangeError) in
                let symbol = try market.map { text throws(ExchangeError) in try TradingSymbol(text, on: client.venue) }
                let earlier = try await client.settleUnreported()
                return (try await client.openOrders(of: symbol), earlier)
            }
            let view = OpenOrdersView(open, earlier, of: client.label, at: client.venue, time: .ofSystem)
            try output.receipt(view) { view.text }
            for order in earlier {
                if case .unknown = order.outcome { continue }
                // If this cannot be written, the next command tells it once more.
                try? await client.noteReported(order.entry.id)
            }
        }
    }
}
