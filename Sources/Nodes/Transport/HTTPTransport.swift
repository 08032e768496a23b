/// The only access to the network: a request goes to the node that the user named, and its whole answer comes back, or
/// an error.
///
/// A port. ``HTTPClientTransport`` is the usual implementation; one that pins public keys can take its place.
public protocol HTTPTransport: Sendable {
    /// Sends the request and waits for the whole answer, whatever its status is.
    ///
    /// It follows no redirect, uses no proxy from the environment, keeps no cookies, and neither waits longer nor reads
    /// more than the request allows.
    func send(_ request: HTTPRequest) async throws(NodeError) -> HTTPResponse
}

/// A request to a node.
public struct HTTPRequest: Sendable {
    /// The HTTP method.
    public enum Method: Sendable {
        /// A request without a body.
        case get
        /// A request with a body of this media type.
        ///
        /// - Parameter type: the body's media type, `application/json`.
        case post([UInt8], type: String)
    }

    /// The node's address, with the credentials if it has any.
    public let address: NodeAddress
    /// The method, with the body that belongs to it.
    public let method: Method
    /// The path, appended to the address's own path.
    public let path: String
    /// The maximum size of the answer's body in bytes; a longer one is ``NodeError/tooLarge(limit:)``.
    public let limit: Int
    /// The time-out of the whole request; then it is ``NodeError/timedOut(_:)``.
    public let timeout: Duration

    /// Creates a request to a node.
    public init(
        to address: NodeAddress, _ method: Method, path: String = "", limit: Int = NodeLimits.answerBytes,
        timeout: Duration = NodeLimits.answerTimeout
    ) {
        self.address = address
        self.method = method
        self.path = path
        self.limit = limit
        self.timeout = timeout
    }
}

/// An HTTP response.
public struct HTTPResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The whole body.
    public let body: [UInt8]

    /// Creates a response.
    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

extension HTTPResponse {
    /// Throws the error of a status that decides without the body.
    func checkStatus() throws(NodeError) {
        switch status {
        case 300..<400: throw .redirected
        case 401, 403: throw .unauthorised
        default: break
        }
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the body looks like an HTML page.
    var looksLikeHTML: Bool {
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        return body.first { !space.contains($0) } == UInt8(ascii: "<")
    }
}
