internal import ArgumentParser
internal import Exchange
internal import ExchangeViews
internal import Terminal
internal import Texts

struct ExchangeOrders: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders", abstract: "List the open orders of a key's account.",
        discussion: """
            Lists all open orders of the account. An order of an earlier command that has not told its outcome is looked for, \
            and shown until the same 'order' command tells what became of it.

            EXAMPLES
              fueki exchange orders main
              fueki exchange orders bot --market ETHUSDT --json
            """)

    @OptionGroup var request: KeyRequestOptions

    @Option(help: .value("symbol", "Only the orders of this market, as the exchange writes it."))
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
            // Nothing is noted as told: a monitor is not the person who gave the order, and may give it again.
            try output.result(view)
        }
    }
}
