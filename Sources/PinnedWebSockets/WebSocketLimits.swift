/// The limits of WebSocket connections, and the default times of streams.
public enum WebSocketLimits {
    /// The default maximum size of a message, of all its fragments together: 1 MiB. The largest messages of exchanges
    /// and nodes, snapshots of order books and blocks, have some hundred KiB.
    public static let messageBytes = 1 << 20
    /// The maximum number of fragments of a message. A server that sends pieces of 1 KiB needs 1,024 for the largest
    /// message of the default size; empty fragments cost time and add nothing.
    public static let fragments = 4_096
    /// The maximum payload of a control frame (RFC 6455, section 5.5).
    public static let controlBytes = 125
    /// The bytes of messages that wait to be sent on a connection, at most. A server that does not read would otherwise
    /// fill the memory.
    public static let unsentBytes = 4 << 20

    /// The default number of events that wait for the reader.
    public static let bufferedEvents = 1_000
    /// The default size of the messages that wait for the reader together.
    public static let bufferedBytes = 4 << 20
    /// The default time that a full buffer waits for the reader.
    public static let readerPatience = Duration.seconds(30)

    /// The default pause between two pings. Proxies and address translation drop connections that are quiet for 30 to
    /// 60 seconds.
    public static let pingInterval = Duration.seconds(20)
    /// The default time-out of a pong.
    public static let pongTimeout = Duration.seconds(10)
    /// The number of looks in the time after which a quiet connection counts as silent: the end comes at most a quarter
    /// of the time late.
    static let silenceLooks = 4
    /// The default time-out of the subscription of a new connection.
    public static let subscribeTimeout = Duration.seconds(10)
    /// The default time-out of the end of a connection.
    public static let closeTimeout = Duration.seconds(5)
    /// The default time for which a connection has to work before failures before it are forgotten.
    public static let usefulAfter = Duration.seconds(30)
    /// The default longest pause before the first attempt to connect again.
    public static let firstPause = Duration.milliseconds(500)
    /// The default longest pause before any attempt.
    public static let longestPause = Duration.seconds(60)
}
