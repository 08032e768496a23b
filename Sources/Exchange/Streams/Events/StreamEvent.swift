public import Time

/// The two feeds of a stream, each with its connection.
public enum StreamFeed: String, CaseIterable, Sendable {
    /// The prices of markets, which everyone sees.
    case market
    /// The orders of the key's account.
    case orders
}

/// The events of a stream.
public enum StreamEvent: Equatable, Sendable {
    /// A feed is subscribed, for the first time or after an interruption.
    case subscribed(StreamFeed)
    /// The best prices of a market. A newer event replaces one that was not read.
    case quote(Quote)
    /// The last trade of a market. A newer event replaces one that was not read.
    case trade(MarketTrade)
    /// A report about an order of the account, and its note in the journal.
    case order(OrderReport, OrderNote)
    /// A feed is interrupted. ``gap(_:)`` follows when it goes on.
    case interrupted(StreamFeed, StreamGap.Reason, since: Timestamp)
    /// An attempt to connect failed. The next one is made after a pause.
    case waiting(StreamFeed, ExchangeError, pause: Timestamp.Span)
    /// Events of this time may be missing. After a gap of the orders each order of the journal is looked up:
    /// ``lookedUp(_:_:)``.
    case gap(StreamGap)
    /// The present state of an order of the journal, after a gap.
    case lookedUp(JournalEntry, OrderOutcome)
    /// The orders could not be looked up after a gap. Look at the exchange's page of orders.
    case lookupFailed(ExchangeError)
    /// The number of messages of a feed so far that do not have the documented form. Their content is not kept.
    case unreadable(StreamFeed, count: UInt64)
}

/// A time in which events of a feed may be missing.
public struct StreamGap: Equatable, Sendable {
    /// The reasons.
    public enum Reason: String, Sendable {
        /// The exchange ended the connection or the subscription.
        case ended
        /// The connection broke, or could not be subscribed.
        case broken
        /// The exchange sent nothing, or answered no ping.
        case silent
        /// The pins of the connection changed or expired.
        case pins
        /// The exchange's numbers of the messages show that one is missing.
        case numbers
        /// The reader took no events, and the buffer was full.
        case reader
    }

    /// The feed.
    public let feed: StreamFeed
    /// The reason.
    public let reason: Reason
    /// The beginning, by this machine's clock.
    public let from: Timestamp
    /// The end, by this machine's clock.
    public let to: Timestamp
}
