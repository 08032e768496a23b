internal import ArgumentParser
internal import Exchange
internal import Presentation
internal import Terminal
internal import Texts

struct ExchangeOrder: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Let an exchange check an order without placing it.",
        discussion: """
            The exchange checks the key, the signature, the clock, the market and the amounts, and places nothing. Without \
            --price the order is at the best price. It has to be asked for with --test, since a later version may place \
            orders.

            EXAMPLES
              fueki exchange order main buy 0.01 XBTUSD --price 30000 --test
              fueki exchange order bot sell 0.5 ETHUSDT --test
            """)

    /// The sides of an order.
    enum Side: String, ExpressibleByArgument, CaseIterable { case buy, sell }

    @OptionGroup var request: KeyRequestOptions

    @Argument(help: "buy or sell.")
    var side: Side

    @Argument(help: "The amount of the market's first asset, with a decimal point.")
    var amount: String

    @Argument(help: "The market, as the exchange writes it: BTCUSDT at Binance, XBTUSD at Kraken.")
    var symbol: String

    @Option(help: ArgumentHelp("The highest price to pay, or the lowest to take.", valueName: "price"))
    var price: String?

    @Flag(help: "With --price: cancel at once what cannot be filled.")
    var immediate = false

    @Flag(help: "Test the order. Nothing is placed.")
    var test = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard test else { throw ValidationError("this command only tests orders: add --test") }
        guard !immediate || price != nil else { throw ValidationError("--immediate is about an order with --price") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let (view, result) = try await request.run(in: global.exchangeHome) { client async throws(ExchangeError) in
            let order = try order(at: client.venue)
            return (OrderTestView(order, by: client.label), try await client.test(order))
        }
        switch result {
        case .valid: try output.result(view) { view.text }
        case .refused(let refusal): throw OrderTestView.failure(refusal)
        }
    }

    private func order(at venue: Venue) throws(ExchangeError) -> Order {
        let kind: Order.Kind =
            if let price {
                .limit(price: try Quantity(price, for: .price), immediate ? .immediateOrCancel : .untilCancelled)
            } else { .market }
        return try Order(
            side == .buy ? .buy : .sell, Quantity(amount, for: .amount), of: TradingSymbol(symbol, on: venue), kind)
    }
}
