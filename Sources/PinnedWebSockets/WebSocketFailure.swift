public import PinnedHTTP

/// An error that ends a stream. It contains no target, header or message: they may contain keys.
public enum WebSocketFailure: Error, Equatable, Sendable {
    /// The connection was not made: see the reason. A certificate or a pin that was refused ends the stream at once.
    case connection(HTTPFailure.Reason)
    /// The server answered with a status other than 101.
    case refused(status: Int)
    /// The server's answer to the upgrade breaks the rules.
    case handshake(WebSocketHandshakeFault)
    /// The server broke the rules of the protocol.
    case violation(WebSocketViolation)
    /// The subscription was not made in time.
    case subscriptionTimedOut
    /// The caller's subscription threw an error of its own.
    case subscriptionFailed
    /// A connection ended, and no further attempt is allowed.
    case lost(WebSocketEnd)
    /// The reader took no event for so long that the buffer stayed full.
    case readerTooSlow
    /// The reading task was cancelled.
    case cancelled
}

/// The reasons to refuse an answer to the upgrade (RFC 6455, section 4.1).
public enum WebSocketHandshakeFault: Error, Equatable, Sendable {
    /// The answer is not HTTP/1.1.
    case notHTTP
    /// The header `Upgrade` or `Connection` does not say that the protocol changes.
    case upgrade
    /// `Sec-WebSocket-Accept` does not belong to this request's key: the answer is another one's, or a cache's.
    case accept
    /// The server chose an extension or a subprotocol. The request offers none.
    case unrequested
}

/// The ways in which a server breaks the rules (RFC 6455, section 5).
public enum WebSocketViolation: Error, Equatable, Sendable {
    /// A reserved bit is set: no extension that uses one was negotiated, compression included.
    case reservedBits
    /// The opcode is reserved.
    case opcode
    /// A server's frame has a mask.
    case masked
    /// The length is not in its shortest form, or has its highest bit set.
    case length
    /// A control frame is fragmented, or longer than 125 bytes.
    case controlFrame
    /// A fragment continues no message, or a message begins within another one.
    case fragment
    /// A message has more fragments than ``WebSocketLimits/fragments``.
    case tooManyFragments
    /// A message is longer than the limit.
    case tooLarge(limit: Int)
    /// A text is not UTF-8.
    case notUTF8
    /// A close frame has half a code, or a code that no endpoint may send.
    case closeCode

    /// The code with which the client closes the connection (RFC 6455, section 7.4.1).
    var closeCode: UInt16 {
        switch self {
        case .tooLarge, .tooManyFragments: 1009
        case .notUTF8: 1007
        default: 1002
        }
    }
}

/// The ways in which a connection ended.
public enum WebSocketEnd: Equatable, Sendable {
    /// The server closed it with a code; nil if it named none.
    case byServer(code: UInt16?)
    /// The caller closed the stream.
    case byCaller
    /// Another connection took over, as the caller wanted.
    case replaced
    /// It broke, or the server ended it without a close frame.
    case cut
    /// The server did not answer a ping in time: the connection may be half-open.
    case noPong
    /// The server sent no message for ``WebSocketPolicy/silence``, although it may have answered pings.
    case silent
    /// The pin policy has changed since it was made, or its pins have expired.
    case policyChanged
    /// The subscription failed.
    case notSubscribed
}
