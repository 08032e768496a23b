public import PinnedHTTP

/// The address of a WebSocket server, and the headers of the request to it. Its text has the server only: the target and
/// the headers may contain keys.
public struct WebSocketRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The server: `https` for `wss`, `http` for `ws`.
    public let origin: Origin
    /// The path with the query, percent-encoded; begins with a slash: `/ws/btcusdt@trade`.
    public let target: String
    /// The headers, in addition to those that the client sets itself.
    public let headers: [HTTPHeader]

    /// Creates a request.
    ///
    /// - Returns: nil if the target or a header is one that `HTTPRequest` refuses, or a header's name begins with
    ///   `Sec-WebSocket-`.
    public init?(_ target: String, at origin: Origin, headers: [HTTPHeader] = []) {
        guard HTTPRequest(.get, target, at: origin, headers: headers) != nil,
            !headers.contains(where: { $0.name.lowercased().hasPrefix("sec-websocket-") })
        else { return nil }
        self.origin = origin
        self.target = target
        self.headers = headers
    }

    public var description: String { "\(origin)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
