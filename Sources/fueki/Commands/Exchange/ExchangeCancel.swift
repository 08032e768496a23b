internal import ArgumentParser
internal import Exchange
internal import Presentation
internal import Terminal
internal import Texts

struct ExchangeCancel: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel open orders, and tell how much of them was filled.",
        discussion: """
            An order is named by the exchange's id or by Fueki's, as 'fueki exchange orders' lists them. Nothing is cancelled \
            unless every named order is open. The same command again changes nothing more.

            EXAMPLES
              fueki exchange cancel main OQCLML-BW3P3-BUCMWZ
              fueki exchange cancel bot --all --yes
            """)

    @OptionGroup var request: KeyRequestOptions

    @Argument(help: ArgumentHelp("The ids of the orders.", valueName: "order"))
    var orders: [String] = []

    @Flag(help: "Cancel every open order of the account, whoever placed it.")
    var all = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard all != !orders.isEmpty else { throw ValidationError("name orders, or use --all") }
    }

    func perform(_ output: Output) async throws(Failure) {
        try await request.session(in: global.exchangeHome) { client async throws(Failure) in
            let open = try await attempt { () async throws(ExchangeError) in try await client.openOrders() }
            let chosen = try chosen(among: open)
            if !chosen.isEmpty, !yes {
                let text = CancelledOrdersView.review(chosen, by: client.label, at: client.venue)
                guard try Confirmation.ask("Cancel?", about: text, insteadUse: "--yes") else { throw .cancelled() }
            }
            var results: [(ListedOrder, CancelOutcome)] = []
            var failure: Failure?
            for order in chosen {
                do throws(ExchangeError) {
                    results.append((order, try await client.cancel(order)))
                } catch {
                    failure = error.failure
                    break
                }
            }
            // The orders that were cancelled before are printed, also if the next one failed.
            if let failure, results.isEmpty { throw failure }
            let view = CancelledOrdersView(
                results, unreadable: all ? open.unreadable : 0, of: client.label, at: client.venue)
            try output.receipt(view) { view.text }
            if let failure = failure ?? view.failure { throw failure }
        }
    }

    private func chosen(among open: OpenOrders) throws(Failure) -> [ListedOrder] {
        guard !all else { return open.orders }
        var chosen: [ListedOrder] = []
        for id in orders {
            guard let order = open.orders.first(where: { $0.exchangeID == id || $0.clientID?.description == id }) else {
                throw CancelledOrdersView.notOpen(id)
            }
            if !chosen.contains(order) { chosen.append(order) }
        }
        return chosen
    }
}
