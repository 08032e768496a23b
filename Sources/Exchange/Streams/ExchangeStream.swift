internal import ExchangeCredentials
public import PinnedHTTP
internal import PinnedWebSockets

/// A stream of the prices of markets, and of the orders of an account.
///
/// ```swift
/// let stream = try ExchangeStream(of: client, symbols, orders: true) { origin in
///     try connection.client(to: origin, userAgent: "app/1", now: now)
/// }
/// for try await event in stream {
///     switch event {
///     case .quote(let quote): show(quote)
///     case .order(let report, _): show(report)
///     case .gap(let gap): warn(gap)
///     default: break
///     }
/// }
/// ```
///
/// Prices and orders have a connection each, which is made again when it ends, with a new signature or token. A time in
/// which events may be missing is reported as ``StreamEvent/gap(_:)``; after a gap of the orders, the client looks the
/// orders of its journal up. An order that the journal has is noted there: ``ExchangeClient/observe(_:)``.
///
/// The memory is bounded: of the prices the newest waits for the reader, and if too many reports about orders wait, the
/// later ones are dropped and reported as a gap. A stream has one reader. The stream ends with this value and its
/// reader.
public final class ExchangeStream: AsyncSequence, Sendable {
    let core: StreamCore

    init(_ core: StreamCore) {
        self.core = core
        core.start()
    }

    deinit { core.cancel() }

    /// Begins a stream.
    ///
    /// - Parameters:
    ///   - client: the exchange and the key. Prices need no key.
    ///   - symbols: the markets; on Kraken with a slash: `BTC/USD`. An empty list streams the orders only.
    ///   - orders: whether the account's orders are streamed.
    ///   - connect: returns the network client for a server of the exchange. It is called once for each feed.
    /// - Throws: ``ExchangeError/invalid(_:_:)`` for a symbol, for too many, or for none without orders.
    public convenience init(
        of client: ExchangeClient, _ symbols: [TradingSymbol], orders: Bool,
        connect: (Origin) throws(ExchangeError) -> PinnedClient
    ) throws(ExchangeError) {
        let symbols = try Self.checked(symbols, client.venue, orders: orders)
        let dialect = client.venue.streamDialect
        var feeds: [StreamCore.Feed] = []
        if !symbols.isEmpty {
            let messages = dialect.subscription(to: symbols)
            let subscription = FeedSubscription(
                dialect, confirmations: dialect.confirmations(of: symbols), clock: client.clock
            ) { messages.map { SubscriptionText($0) } }
            feeds.append(try Self.feed(.market, client, symbols, subscription, connect))
        }
        if orders {
            let subscription = FeedSubscription(
                dialect, confirmations: 1, clock: client.clock,
                note: { record in try? await client.state.store(record, at: client.venue, clock: client.clock) },
                messages: { () async throws(ExchangeError) in [try await client.orderSubscription()] })
            feeds.append(try Self.feed(.orders, client, [], subscription, connect))
        }
        self.init(StreamCore(feeds, clock: client.clock, journal: orders ? StreamJournal(client) : nil))
    }

    private static func feed(
        _ feed: StreamFeed, _ client: ExchangeClient, _ symbols: [TradingSymbol], _ subscription: FeedSubscription,
        _ connect: (Origin) throws(ExchangeError) -> PinnedClient
    ) throws(ExchangeError) -> StreamCore.Feed {
        let dialect = client.venue.streamDialect
        let address = dialect.address(of: feed)
        // Another server than the exchange's own has all of its paths.
        let origin = client.venue.has(client.origin) ? address.origin : client.origin
        guard let request = WebSocketRequest(address.path, at: origin) else {
            preconditionFailure("the paths of the exchanges' streams are valid")
        }
        let stream = try connect(origin).stream(request, .exchange(dialect), subscribe: subscription.subscribe)
        return StreamCore.Feed(
            feed: feed, connection: FeedConnection(stream), reader: FeedReader(feed, dialect, symbols: symbols),
            problem: { subscription.takeProblem() })
    }

    /// Returns the symbols without repetitions.
    static func checked(
        _ symbols: [TradingSymbol], _ venue: Venue, orders: Bool
    ) throws(ExchangeError) -> [TradingSymbol] {
        var checked: [TradingSymbol] = []
        for symbol in symbols where !checked.contains(symbol) {
            guard symbol.venue == venue else { throw .invalid(.symbol, .otherVenue(symbol.venue)) }
            try venue.streamDialect.check(symbol)
            checked.append(symbol)
        }
        guard checked.count <= ExchangeLimits.streamSymbols else {
            throw .invalid(.symbol, .tooMany(most: ExchangeLimits.streamSymbols))
        }
        guard orders || !checked.isEmpty else { throw .invalid(.symbol, .empty) }
        return checked
    }

    /// The reader of a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The stream lives as long as its reader.
        let stream: ExchangeStream
        var signals: AsyncStream<Void>.Iterator

        /// Waits for the next event.
        ///
        /// - Returns: nil after ``ExchangeStream/close()``, or if the task was cancelled.
        /// - Throws: ``ExchangeError``, after all events that came before.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ExchangeError) -> StreamEvent? {
            let core = stream.core
            while true {
                if let event = core.take() { return event }
                if let end = core.queue.end {
                    // An event can come between the two.
                    if let event = core.take() { return event }
                    try end.get()
                    return nil
                }
                if await signals.next(isolation: actor) == nil, core.queue.end == nil { return nil }
            }
        }
    }

    /// Returns the reader.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self, signals: core.queue.signals.makeAsyncIterator())
    }

    /// Closes the connections, and waits a few seconds at most for the exchange. The reader still gets the events that
    /// wait.
    public func close() async { await core.close() }
}
