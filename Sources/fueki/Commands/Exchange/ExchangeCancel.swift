internal import ArgumentParser
internal import ErrorTexts
internal import Exchange
internal import ExchangeViews
internal import Terminal
internal import Texts

struct ExchangeCancel: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel open orders, and tell how much of them was filled.",
        discussion: """
            An order is named by the exchange's id or by Fueki's, as 'fueki exchange orders' lists them; MARKET:ID tells \
            Binance's orders with one number apart. Nothing is cancelled unless every named order is open. An order of this \
            machine whose answer was lost is looked for. The same command again changes nothing more.

            EXAMPLES
              fueki exchange cancel main OQCLML-BW3P3-BUCMWZ
              fueki exchange cancel bot BTCUSDT:28
              fueki exchange cancel bot --all --yes
            """)

    @OptionGroup var request: KeyRequestOptions

    @Argument(help: .value("order", "The ids of the orders."))
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
            var open = try await attempt { () async throws(ExchangeError) in try await client.openOrders() }
            var unknown: [ClientOrderID] = []
            var journal: Failure?
            // An order of this machine whose answer was lost can open after the list.
            if all || orders.contains(where: { open.orders(named: $0).isEmpty }) {
                do throws(ExchangeError) {
                    let settled = try await client.openOrders(settling: open)
                    (open, unknown) = (settled.open, settled.unknown.map(\.id))
                } catch {
                    // The listed orders are cancelled also if the journal cannot be read.
                    guard all else { throw error.failure }
                    journal = CancelledOrdersView.unread(error)
                }
            }
            let chosen = try chosen(among: open, mayOpen: unknown)
            if !chosen.isEmpty, !yes {
                let text = CancelledOrdersView.review(chosen, by: client.label, at: client.venue)
                guard try Confirmation.ask("Cancel?", about: text, insteadUse: "--yes") else { throw .cancelled() }
            }
            let cancelled = try await attempt { () async throws(ExchangeError) in try await client.cancel(chosen) }
            let view = CancelledOrdersView(
                cancelled.results, unreadable: all ? open.unreadable : 0, mayOpen: all ? unknown : [],
                of: client.label, at: client.venue)
            try output.receipt(view)
            if let failure = cancelled.failure?.failure ?? view.failure ?? journal { throw failure }
        }
    }

    private func chosen(among open: OpenOrders, mayOpen: [ClientOrderID]) throws(Failure) -> [ListedOrder] {
        guard !all else { return open.orders }
        var chosen: [ListedOrder] = []
        for id in orders {
            let found = open.orders(named: id)
            guard let order = found.first else { throw CancelledOrdersView.notOpen(id, mayOpen: mayOpen) }
            guard found.count == 1 else { throw CancelledOrdersView.ambiguous(id, found) }
            if !chosen.contains(order) { chosen.append(order) }
        }
        return chosen
    }
}
