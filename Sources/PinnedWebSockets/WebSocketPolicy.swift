public import PinnedHTTP

/// The times and limits of a stream.
public struct WebSocketPolicy: Sendable {
    /// The time without any message after which a connection ends as ``WebSocketEnd/silent``, and another is made; nil
    /// if quiet is normal, as for the reports of an account.
    ///
    /// A server can answer pings but no longer send messages. Only the caller knows how long its stream may be quiet.
    public var silence: Duration?
    /// The pause between two pings.
    public var pingInterval: Duration
    /// The time-out of a pong.
    public var pongTimeout: Duration
    /// The attempts to connect again: `RetryPolicy.attempts` counts failures in a row.
    public var retries: RetryPolicy
    /// The time for which a connection has to work, and have brought a message, before earlier failures are forgotten.
    public var usefulAfter: Duration
    /// The time-out of the subscription of a new connection.
    public var subscribeTimeout: Duration
    /// The time-out of the end of a connection.
    public var closeTimeout: Duration
    /// The time that a full buffer waits for the reader. Then the stream ends as ``WebSocketFailure/readerTooSlow``.
    public var readerPatience: Duration
    /// The maximum size of a message, received or sent.
    public var messageBytes: Int
    /// The number of events that wait for the reader, at most.
    public var bufferedEvents: Int
    /// The size of the messages that wait for the reader together, at most; a single message may be larger.
    public var bufferedBytes: Int

    /// Creates a policy.
    public init(
        silence: Duration?, pingInterval: Duration = WebSocketLimits.pingInterval,
        pongTimeout: Duration = WebSocketLimits.pongTimeout,
        retries: RetryPolicy = RetryPolicy(
            attempts: .max, firstPause: WebSocketLimits.firstPause, longestPause: WebSocketLimits.longestPause),
        usefulAfter: Duration = WebSocketLimits.usefulAfter,
        subscribeTimeout: Duration = WebSocketLimits.subscribeTimeout,
        closeTimeout: Duration = WebSocketLimits.closeTimeout,
        readerPatience: Duration = WebSocketLimits.readerPatience, messageBytes: Int = WebSocketLimits.messageBytes,
        bufferedEvents: Int = WebSocketLimits.bufferedEvents, bufferedBytes: Int = WebSocketLimits.bufferedBytes
    ) {
        self.silence = silence
        self.pingInterval = pingInterval
        self.pongTimeout = pongTimeout
        self.retries = retries
        self.usefulAfter = usefulAfter
        self.subscribeTimeout = subscribeTimeout
        self.closeTimeout = closeTimeout
        self.readerPatience = readerPatience
        self.messageBytes = max(0, messageBytes)
        self.bufferedEvents = max(1, bufferedEvents)
        self.bufferedBytes = max(1, bufferedBytes)
    }
}
