// MARK: Streams

extension ExchangeClient {
    /// Returns the message that subscribes to the account's orders, with a new signature or token.
    ///
    /// - Throws: ``ExchangeError``.
    func orderSubscription() async throws(ExchangeError) -> SubscriptionText {
        switch venue {
        case .binance:
            let server = try await measureClock()
            let credential = try await keyring.credential(label, at: venue)
            let stamp = Stamp(time: server.time(at: clock.now()), window: window, nonce: 0)
            return SubscriptionText(BinanceStream().orderSubscription(by: credential, stamp: stamp))
        case .kraken:
            let result = try await result(of: .streamToken)
            guard let token = KrakenStream().token(in: result) else { throw .unclear(.answer) }
            return SubscriptionText(KrakenStream().orderSubscription(token: token))
        }
    }

    /// Asks the exchange for the present state of an order of the journal. It never sends the order.
    ///
    /// - Throws: ``ExchangeError``.
    func lookUpAgain(_ entry: JournalEntry) async throws(ExchangeError) -> OrderOutcome {
        guard entry.placed != nil else { return try await reconcile(entry.id) }
        switch try await find(entry.id, entry.order) {
        case .order(let placed): return .placed(placed, .query)
        case .refused(let refusal): return .refused(refusal)
        case .otherTerms: return .unknown(.otherTerms)
        // The journal knows that the exchange had the order; its list of closed orders does not go back forever.
        case .nothing, .unclear: return .unknown(.notAnswered)
        }
    }
}
