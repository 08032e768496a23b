internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Exchange
internal import ExchangeCredentials
internal import ExchangeViews
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts

struct ExchangeOrder: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "order", abstract: "Place an order, after a review; or let the exchange check it with --test.",
        discussion: """
            Without --price it is a market order. An order is written down before it is sent, and sent once: if the answer \
            is lost, the order is looked for. After an interruption the same command tells what became of the first order, \
            and sends nothing if it may be at the exchange. If you then give the command again, that is another order. The same \
            command, started several times at the same time, places one order. Programs give each order its own id with --id.

            --yes needs --price, and an amount within 'order-limit.EXCHANGE.MARKET' of 'fueki config'.

            EXAMPLES
              fueki exchange order main buy 0.01 XBTUSD --price 30000
              fueki exchange order bot sell 0.5 ETHUSDT --test
              fueki exchange order bot buy 0.1 ETHUSDT --price 2000 --yes --json
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

    @Option(help: .value("price", "The highest price to pay, or the lowest to take."))
    var price: String?

    @Flag(help: "With --price: cancel at once what cannot be filled.")
    var immediate = false

    @Flag(help: "Test the order. Nothing is placed.")
    var test = false

    @Option(
        help: .value(
            "uuid", "A new id for the order, a UUID in lower case: the same command with the same id places it once."))
    var id: String?

    @Flag(name: .shortAndLong, help: "Do not ask, within the limit of the settings.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !immediate || price != nil else { throw ValidationError("--immediate is about an order with --price") }
        guard !test || id == nil else { throw ValidationError("--id is about an order that is placed") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let begun = ExchangeClock.system.now()
        let given = try id.map { text throws(Failure) in
            try attempt { () throws(ExchangeError) in try ClientOrderID(text) }
        }
        try await request.session(in: global.exchangeHome) { client async throws(Failure) in
            let order = try attempt { () throws(ExchangeError) in try terms(at: client.venue) }
            if test { return try await check(order, client, output) }
            guard try await !tellEarlier(order, given, client, output) else { return }
            try agree(to: order, client.label)
            let id = given ?? ClientOrderID(random: SystemRandom())
            output.progress(StepText("placing the order", done: "sent the order"))
            let told: (id: ClientOrderID, outcome: OrderOutcome)
            do throws(ExchangeError) {
                // An id of the caller's tells the same order from another one.
                let since = given == nil ? begun : nil
                told = (id, try await client.place(order, as: id, isReported: false, unlessSameSince: since))
            } catch .sameOrder(let other) {
                told = try await attempt { () async throws(ExchangeError) in (other, try await client.reconcile(other))
                }
            } catch { throw error.failure }
            let view = OrderOutcomeView(
                order, told.id, told.outcome, by: client.label,
                earlier: told.id != id || told.outcome.isKnownFromJournal, hasCallersID: given != nil)
            try await tell(view, told.id, told.outcome, client, output)
        }
    }

    private func check(_ order: Order, _ client: ExchangeClient, _ output: Output) async throws(Failure) {
        switch try await attempt({ () async throws(ExchangeError) in try await client.test(order) }) {
        case .valid:
            try output.result(OrderTestView(order, by: client.label))
        case .refused(let refusal): throw OrderTestView.failure(refusal)
        }
    }

    /// Tells what became of the same order of an earlier command that ended before it could tell.
    ///
    /// - Returns: whether such an order is the result of this command.
    private func tellEarlier(
        _ order: Order, _ given: ClientOrderID?, _ client: ExchangeClient, _ output: Output
    ) async throws(Failure) -> Bool {
        guard given == nil else { return false }
        let earlier = try await attempt { () async throws(ExchangeError) in try await client.settleUnreported(of: order)
        }
        for found in earlier {
            let id = found.entry.id
            guard found.outcome.mayStillAct else {
                try await attempt { () async throws(ExchangeError) in try await client.noteReported(id) }
                continue
            }
            let view = OrderOutcomeView(found, by: client.label, time: .ofSystem)
            try await tell(view, id, found.outcome, client, output)
            return true
        }
        let others = try await attempt { () async throws(ExchangeError) in try await client.unreportedOrders() }
        if others.contains(where: \.isOpen) {
            output.note("note: 'fueki exchange orders \(client.label)' tells what became of an earlier command's order")
        }
        return false
    }

    /// Prints the outcome, and notes that it was printed.
    private func tell(
        _ view: OrderOutcomeView, _ id: ClientOrderID, _ outcome: OrderOutcome, _ client: ExchangeClient,
        _ output: Output
    ) async throws(Failure) {
        if let failure = view.failure {
            // An order that may be at the exchange is looked for again by the same command.
            if !outcome.mayStillAct { try? await client.noteReported(id) }
            throw failure
        }
        try output.receipt(view)
        // If this cannot be written, the same command tells the outcome once more.
        try? await client.noteReported(id)
    }

    private func agree(to order: Order, _ label: KeyLabel) throws(Failure) {
        let review = OrderReview(order, by: label)
        guard yes else {
            let text = review.text(in: .ofTerminal)
            guard try Confirmation.ask("Place the order?", about: text, insteadUse: "--yes") else { throw .cancelled() }
            return
        }
        let settings = try Settings.checked(in: global.walletHome)
        let name = Settings.ExchangeName(order.symbol.venue.rawValue)
        let text = name.flatMap { settings.value(of: .orderLimit($0, market: order.symbol.text), for: nil) }
        let limit = try text.map { text throws(Failure) in
            try attempt { () throws(ExchangeError) in try Quantity(text, for: .amount) }
        }
        if let failure = review.failure(limit: limit) { throw failure }
    }

    private func terms(at venue: Venue) throws(ExchangeError) -> Order {
        let kind: Order.Kind =
            if let price {
                .limit(price: try Quantity(price, for: .price), immediate ? .immediateOrCancel : .untilCancelled)
            } else { .market }
        return try Order(
            side == .buy ? .buy : .sell, Quantity(amount, for: .amount), of: TradingSymbol(symbol, on: venue), kind)
    }
}
