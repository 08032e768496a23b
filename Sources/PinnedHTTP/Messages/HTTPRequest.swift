/// A request to one server. Its text has the method and the server only: the target, the headers and the body may
/// contain keys.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The methods of requests (RFC 9110, section 9).
    public enum Method: String, Sendable {
        /// Asks for a resource.
        case get = "GET"
        /// Asks for the headers of a resource.
        case head = "HEAD"
        /// Sends something to be processed.
        case post = "POST"
        /// Replaces a resource.
        case put = "PUT"
        /// Changes a part of a resource.
        case patch = "PATCH"
        /// Removes a resource.
        case delete = "DELETE"
    }

    /// Whether a client may send a request a second time when the first one has no answer.
    public enum Repetition: Sendable {
        /// The effect of two requests is that of one: a query. After an error that may pass the client sends it again, a
        /// limited number of times.
        case allowed
        /// The server may act twice: an order, a payment. The client sends it once, on a new connection, since an idle
        /// one may be closing. The caller looks up what became of it.
        case never
    }

    /// The server.
    public let origin: Origin
    /// The method.
    public let method: Method
    /// The path with the query, percent-encoded; begins with a slash: `/api/v3/time?symbol=BTCUSDT`.
    public let target: String
    /// The headers, in addition to those that the client sets itself: `Host`, `User-Agent`, `Content-Length`,
    /// `Connection`.
    public let headers: [HTTPHeader]
    /// The body; empty for none.
    public let body: [UInt8]
    /// Whether it may be sent again.
    public let repetition: Repetition
    /// The maximum size of the answer's body in bytes; a longer one is ``HTTPFailure/Reason/tooLarge(limit:)``.
    public let limit: Int
    /// The time-out of one attempt, from the first byte of the request to the last byte of the answer.
    public let timeout: Duration

    /// Creates a request.
    ///
    /// - Returns: nil if the target has characters other than those of a path and a query (RFC 3986), or a header is
    ///   not one line of visible ASCII, or decides about the connection or the length of the body.
    public init?(
        _ method: Method, _ target: String, at origin: Origin, headers: [HTTPHeader] = [], body: [UInt8] = [],
        repetition: Repetition? = nil, limit: Int = HTTPLimits.answerBytes, timeout: Duration = HTTPLimits.answerTimeout
    ) {
        guard target.first == "/", target.utf8.count <= HTTPLimits.targetBytes,
            target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.excluded.contains($0) })
        else { return nil }
        guard headers.count <= HTTPLimits.requestHeaders, headers.allSatisfy({ $0.isValid && !$0.isReserved }) else {
            return nil
        }
        self.origin = origin
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.repetition = repetition ?? (method == .get || method == .head ? .allowed : .never)
        self.limit = limit
        self.timeout = timeout
    }

    public var description: String { "\(method.rawValue) \(origin)" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Characters that RFC 3986 allows in no path and no query.
    private static let excluded = Set("\"#<>\\^`{|}".utf8)
}

/// A header of a request or an answer. Its text does not have the value, which may be a key.
public struct HTTPHeader: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The name. Upper and lower case are the same.
    public let name: String
    /// The value, without spaces at its ends.
    public let value: String

    /// Creates a header.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { "\(name): <redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether the header frames the request or is about the connection, so that only the client sets it.
    var isReserved: Bool { Self.reserved.contains(name.lowercased()) }

    private static let reserved: Set = [
        "host", "user-agent", "content-length", "connection", "transfer-encoding", "upgrade", "expect", "te", "trailer",
        "keep-alive", "proxy-connection", "proxy-authorization",
    ]

    /// Whether the name is a token (RFC 9110, section 5.6.2), and the value one line of visible ASCII and spaces.
    var isValid: Bool {
        (1...HTTPLimits.headerBytes).contains(name.utf8.count) && name.utf8.allSatisfy(Self.isTokenCharacter)
            && value.utf8.count <= HTTPLimits.headerBytes
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Whether a byte may be in a token (RFC 9110, section 5.6.2).
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
