internal import ExchangeCredentials

/// The journal of orders as a stream uses it.
actor StreamJournal {
    private let client: ExchangeClient
    /// Orders that are noted already: a report about a part of an order changes nothing in the journal.
    private var noted: Set<ClientOrderID> = []
    /// Orders that the stream has seen end: a later query tells nothing new.
    private var ended: Set<ClientOrderID> = []

    init(_ client: ExchangeClient) { self.client = client }

    /// Notes the order of a report, if the journal has it.
    func note(_ report: OrderReport) async -> OrderNote {
        guard let id = report.clientID else { return .foreign }
        do throws(ExchangeError) {
            guard let entry = try await client.journal().first(where: { $0.id == id }) else { return .foreign }
            // The exchange is asked about an order by its id, and an answer with other terms is not believed either.
            guard report.hasTerms(of: entry.order) else { return .otherTerms }
            guard let placed = report.placed else { return .notPlaced }
            if !noted.contains(id) {
                try await client.observe(placed)
                noted.insert(id)
            }
            if report.status == .filled || placed.status == .ended { ended.insert(id) }
            return .noted
        } catch .unknownOrder { return .foreign } catch { return .failed(error) }
    }

    /// Looks the orders of the journal up: those whose outcome is unknown, and the newest placed ones.
    func lookUp(_ report: @Sendable (StreamEvent) -> Void) async {
        do throws(ExchangeError) {
            let entries = try await client.journal()
            let placed = entries.filter { $0.placed != nil && !ended.contains($0.id) }
                .suffix(ExchangeLimits.streamLookups)
            // The placed ones at once, where the exchange takes such a query.
            for part in entries.filter(\.isOpen).map({ [$0] }) + client.dialect.queries(for: Array(placed)) {
                if Task.isCancelled { return }
                for found in try await client.lookUpAgain(part) {
                    if case .placed(let order, _) = found.outcome, [.filled, .ended].contains(order.status) {
                        ended.insert(found.entry.id)
                    }
                    report(.lookedUp(found.entry, found.outcome))
                }
            }
        } catch { report(.lookupFailed(error)) }
    }
}

extension OrderReport {
    /// Whether the report can be about an order. Kraken's streams and its REST API have different names of one market.
    fileprivate func hasTerms(of order: Order) -> Bool {
        if let side, side != order.side { return false }
        if let amount, amount != order.amount { return false }
        if let symbol, symbol.venue == .binance, symbol != order.symbol { return false }
        return true
    }
}
