/// The events of a stream, in their order.
///
/// The connections have numbers from 1. A connection has ``opened(_:)``, ``subscribed(_:)``, its messages and
/// ``closed(_:_:)``. Between the end of a connection and ``subscribed(_:)`` of the next there is exactly one ``gap(_:)``,
/// unless both overlapped (``WebSocketStream/replace()``).
public enum WebSocketEvent: Equatable, Sendable {
    /// The connection is established, and the subscription begins.
    case opened(Int)
    /// The subscription was made, and all later messages of the connection are delivered. After a gap the caller now
    /// requests a snapshot.
    case subscribed(Int)
    /// A message, with its connection's number. While two connections overlap a message can come from each: the caller
    /// drops the duplicates by the server's own sequence numbers.
    case message(Int, WebSocketMessage)
    /// The connection ended.
    case closed(Int, WebSocketEnd)
    /// Messages may be missing.
    case gap(WebSocketGap)
    /// An attempt to connect failed. The next one is made after the pause.
    case attemptFailed(WebSocketFailure, next: Duration)
    /// The replacement that the caller wanted failed. The old connection goes on, unless it has ended itself.
    case replacementFailed(WebSocketFailure)
}

/// A time in which messages may be missing.
public struct WebSocketGap: Equatable, Sendable {
    /// The number of the connection that ended.
    public let after: Int
    /// The reason why it ended.
    public let reason: WebSocketEnd
    /// Seconds since 1970, by the device's clock: at this time all that the connection had received was read. The gap
    /// ends with ``WebSocketEvent/subscribed(_:)``. The clocks of two machines differ: a caller who requests the missing
    /// data begins some seconds earlier.
    public let since: UInt64

    /// Creates a gap.
    public init(after: Int, reason: WebSocketEnd, since: UInt64) {
        self.after = after
        self.reason = reason
        self.since = since
    }
}

/// The outcome of sending a message.
public enum WebSocketSending: Equatable, Sendable {
    /// The reasons why a message was not sent.
    public enum Refusal: Equatable, Sendable {
        /// The stream has no connection now.
        case notConnected
        /// It is longer than ``WebSocketPolicy/messageBytes``.
        case tooLarge
        /// The server takes nothing, and ``WebSocketLimits/unsentBytes`` wait already.
        case congested
    }

    /// The system has taken it for the connection of this number. Whether it arrived only an answer of the server
    /// tells.
    case sent(connection: Int)
    /// No byte of it has left.
    case notSent(Refusal)
    /// The connection of this number ended meanwhile. The server may have received it.
    case unknown(connection: Int)
}

/// The outcome of a wish to replace the connection.
public enum WebSocketReplacement: Equatable, Sendable {
    /// The replacement begins. Its events tell how it goes on.
    case begun
    /// The stream has no connection now, and makes a new one in any case.
    case notConnected
    /// Another replacement is not finished.
    case unfinished
}
