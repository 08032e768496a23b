import ExchangeCredentials
import PinnedHTTP
internal import PinnedWebSockets
import Synchronization

@testable import Exchange

/// The connections of a feed whose events a test gives.
final class ScriptedFeed: Sendable {
    private let events: AsyncStream<WebSocketEvent>
    private let continuation: AsyncStream<WebSocketEvent>.Continuation
    private let failure = Mutex<WebSocketFailure?>(nil)
    private let state = Mutex<(replacements: Int, closes: Int)>((0, 0))

    init() { (events, continuation) = AsyncStream.makeStream() }

    /// How often another connection was wanted.
    var replacements: Int { state.withLock { $0.replacements } }
    /// How often the connections were closed.
    var closes: Int { state.withLock { $0.closes } }

    func give(_ given: WebSocketEvent...) { for event in given { continuation.yield(event) } }
    func say(_ text: String) { continuation.yield(.message(1, .text(text))) }
    func end(_ failure: WebSocketFailure? = nil) {
        self.failure.withLock { $0 = failure }
        continuation.finish()
    }

    var connection: FeedConnection {
        FeedConnection(
            next: { () async throws(WebSocketFailure) -> WebSocketEvent? in
                var iterator = self.events.makeAsyncIterator()
                if let event = await iterator.next() { return event }
                if let failure = self.failure.withLock({ $0 }) { throw failure }
                return nil
            },
            replace: { self.state.withLock { $0.replacements += 1 } },
            close: {
                self.state.withLock { $0.closes += 1 }
                self.continuation.finish()
            })
    }

    func feed(
        _ feed: StreamFeed, _ venue: Venue, _ symbols: [TradingSymbol] = [], problem: ExchangeError? = nil
    ) -> StreamCore.Feed {
        StreamCore.Feed(
            feed: feed, connection: connection, reader: FeedReader(feed, venue.streamDialect, symbols: symbols),
            problem: { problem })
    }
}

extension ExchangeStream.AsyncIterator {
    /// The next events.
    mutating func next(_ count: Int) async throws -> [StreamEvent] {
        var events: [StreamEvent] = []
        while events.count < count, let event = try await next() { events.append(event) }
        return events
    }
}
