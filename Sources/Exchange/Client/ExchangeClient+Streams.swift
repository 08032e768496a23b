internal import ExchangeCredentials

// MARK: Streams

extension ExchangeClient {
    /// Returns the message that subscribes to the account's orders, with a new signature or token.
    ///
    /// - Throws: ``ExchangeError``.
    func orderSubscription() async throws(ExchangeError) -> SubscriptionText {
        switch venue {
        case .binance:
            let server = try await measureClock()
            let credential = try await credential()
            let stamp = Stamp(time: server.time(at: clock.now()), window: window, nonce: 0)
            return SubscriptionText(BinanceStream().orderSubscription(by: credential, stamp: stamp))
        case .kraken:
            let result = try await result(of: .streamToken)
            guard let token = KrakenStream().token(in: result) else { throw .unclear(.answer) }
            return SubscriptionText(KrakenStream().orderSubscription(token: token))
        }
    }

    /// Asks the exchange for the present states of orders of the journal. It never sends an order.
    ///
    /// Kraken is asked for as many placed ones at once as a query takes: a query for each would use up its counter of
    /// calls, and keep the user from the next order.
    ///
    /// - Throws: ``ExchangeError``.
    func lookUpAgain(_ entries: [JournalEntry]) async throws(ExchangeError) -> [EarlierOrder] {
        guard let kraken = dialect as? KrakenDialect, let names = Self.names(of: entries) else {
            var found: [EarlierOrder] = []
            for entry in entries { found.append(EarlierOrder(entry: entry, outcome: try await lookUpAgain(entry))) }
            return found
        }
        let result = try await result(of: .look(names))
        return entries.map {
            EarlierOrder(entry: $0, outcome: Self.outcome(kraken.found(inQuery: result, $0.id, $0.order)))
        }
    }

    /// Returns the exchange's names of orders; nil if it does not have all of them.
    private static func names(of entries: [JournalEntry]) -> [OrderName]? {
        let names = entries.compactMap { entry in
            entry.placed.map { OrderName(symbol: entry.order.symbol, exchangeID: $0.exchangeID) }
        }
        return names.count == entries.count ? names : nil
    }

    private func lookUpAgain(_ entry: JournalEntry) async throws(ExchangeError) -> OrderOutcome {
        guard entry.placed != nil else { return try await reconcile(entry.id) }
        return Self.outcome(try await find(entry.id, entry.order))
    }

    private static func outcome(_ found: Found) -> OrderOutcome {
        switch found {
        case .order(let placed): .placed(placed, .query)
        case .refused(let refusal): .refused(refusal)
        case .otherTerms: .unknown(.otherTerms)
        // The journal knows that the exchange had the order; its list of closed orders does not go back forever.
        case .nothing, .unclear: .unknown(.notAnswered)
        }
    }
}
