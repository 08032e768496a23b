internal import ArgumentParser
internal import Exchange
internal import Terminal
internal import Texts

struct ExchangeWatch: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show prices, and the orders of a key's account, as they change.",
        discussion: """
            Shows the best prices and the last trade of each market until control-C. With --orders it also shows the \
            account's orders, and notes those of this machine's journal there. Kraken's streams name a market by its \
            two assets: BTC/USD, not XBTUSD. Binance does not say that a market is unknown: it then shows no prices.

            An interrupted stream is connected again. A line with GAP tells the time in which events may be missing; \
            after it the orders of the journal are looked up. If lines are not read in time, the newest price \
            replaces older ones. With --json each line is one JSON object. The command ends when its output is \
            closed, or is not read for 30 seconds.

            EXAMPLES
              fueki exchange watch main BTC/USD ETH/USD
              fueki exchange watch bot BTCUSDT --orders --json
            """)

    @OptionGroup var request: KeyRequestOptions

    @Argument(help: "The markets: BTCUSDT at Binance, BTC/USD at Kraken. None with --orders shows the orders only.")
    var symbols: [String] = []

    @Flag(help: "Show the orders of the account, too.")
    var orders = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard orders || !symbols.isEmpty else { throw ValidationError("name a market, or add --orders") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let signal = try await request.session(in: global.exchangeHome) { client async throws(Failure) in
            try await watch(client, output)
        }
        HeldSignals.end(by: signal)
    }

    /// Shows events until the end. Returns the signal that ended it; 0 without one.
    private func watch(_ client: ExchangeClient, _ output: Output) async throws(Failure) -> Int32 {
        let markets = try attempt { () throws(ExchangeError) in
            var markets: [TradingSymbol] = []
            for symbol in symbols { markets.append(try TradingSymbol(symbol, on: client.venue)) }
            return markets
        }
        let stream = try request.connection.stream(of: client, markets, orders: orders)
        return try await HeldSignals().runUntilSignal { () async throws(Failure) in
            try await StreamPrinter(output).run(stream)
        }.signal
    }
}
