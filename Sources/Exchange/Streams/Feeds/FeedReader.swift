internal import PinnedWebSockets
internal import Time

/// The reading of one feed: from the events of its connections to those of the stream. It does no I/O.
struct FeedReader: Sendable {
    private let feed: StreamFeed
    private let dialect: any StreamDialect
    private let symbols: Set<TradingSymbol>
    private var known = KnownOrders()
    /// The gap that has not ended.
    private var gap: (reason: StreamGap.Reason, from: Timestamp)?
    private var unreadable: UInt64 = 0
    /// The number of the last message that has one.
    private var number: UInt64?
    /// The time of the last message, or of the beginning of its connection.
    private var lastRead = Timestamp(milliseconds: 0)
    /// Whether the exchange ended the subscription of a connection that is still open: a new one is needed.
    private(set) var needsReplacement = false

    init(_ feed: StreamFeed, _ dialect: any StreamDialect, symbols: [TradingSymbol]) {
        self.feed = feed
        self.dialect = dialect
        self.symbols = Set(symbols)
    }

    /// Reads an event of the connections.
    ///
    /// - Parameter now: the time of this machine.
    mutating func read(_ event: WebSocketEvent, now: Timestamp) -> [StreamEvent] {
        switch event {
        case .opened:
            number = nil
            lastRead = now
            return []
        case .subscribed:
            needsReplacement = false
            return end(now) + [.subscribed(feed)]
        case .message(_, let message):
            defer { lastRead = now }
            return read(message, now)
        case .closed: return []
        case .gap(let gap):
            return begin(StreamGap.Reason(gap.reason), since: Timestamp(seconds: Int64(clamping: gap.since)))
        case .attemptFailed(let failure, let pause):
            return [.waiting(feed, ExchangeError(failure), pause: Timestamp.Span(pause))]
        case .replacementFailed(let failure):
            return needsReplacement
                ? [.waiting(feed, ExchangeError(failure), pause: ExchangeLimits.streamReplacementPause)] : []
        }
    }

    /// Begins a gap; one that lasts already keeps its beginning.
    private mutating func begin(_ reason: StreamGap.Reason, since: Timestamp) -> [StreamEvent] {
        guard gap == nil else { return [] }
        gap = (reason, since)
        return [.interrupted(feed, reason, since: since)]
    }

    private mutating func end(_ now: Timestamp) -> [StreamEvent] {
        guard let ended = gap else { return [] }
        gap = nil
        return [.gap(StreamGap(feed: feed, reason: ended.reason, from: ended.from, to: max(ended.from, now)))]
    }

    private mutating func read(_ message: WebSocketMessage, _ now: Timestamp) -> [StreamEvent] {
        guard case .text(let text) = message else { return misread() }
        switch dialect.read(text, now: now) {
        case .confirmed, .failed, .nothing: return []
        case .unreadable: return misread()
        case .ended:
            needsReplacement = true
            return begin(.ended, since: now)
        case .quotes(let quotes) where feed == .market:
            // A market that was not asked for would take memory for each name that a server invents.
            guard quotes.allSatisfy({ symbols.contains($0.symbol) }) else { return misread() }
            return quotes.map { .quote($0) }
        case .trades(let trades) where feed == .market:
            guard trades.allSatisfy({ symbols.contains($0.symbol) }) else { return misread() }
            return trades.map { .trade($0) }
        case .orders(let reports, let number) where feed == .orders:
            return missing(before: number, now)
                + reports.map { .order(known.complete($0), .foreign) }
        case .quotes, .trades, .orders: return misread()
        }
    }

    private mutating func misread() -> [StreamEvent] {
        unreadable += 1
        return [.unreadable(feed, count: unreadable)]
    }

    /// Checks the number of a message: the numbers of a connection count up by one.
    private mutating func missing(before new: UInt64?, _ now: Timestamp) -> [StreamEvent] {
        guard let new else { return [] }
        defer { number = new }
        guard let number, number == .max || new != number + 1 else { return [] }
        return [.gap(StreamGap(feed: feed, reason: .numbers, from: min(lastRead, now), to: now))]
    }
}

extension StreamGap.Reason {
    fileprivate init(_ end: WebSocketEnd) {
        switch end {
        case .byServer: self = .ended
        case .noPong, .silent: self = .silent
        case .policyChanged: self = .pins
        case .byCaller, .replaced, .cut, .notSubscribed: self = .broken
        }
    }
}
