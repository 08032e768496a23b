/// A message of a WebSocket connection (RFC 6455, section 5.6).
public enum WebSocketMessage: Equatable, Sendable {
    /// Text in UTF-8.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The message's bytes.
    package var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .binary(let bytes): bytes
        }
    }

    /// The number of the message's bytes.
    var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}
