/// The one way out: a request goes to the node that the person named, and its whole answer comes back, or an error.
///
/// A port. ``HTTPClientTransport`` is the one for use; one that pins public keys can take its place.
public protocol HTTPTransport: Sendable {
    /// Sends the request and waits for the whole answer, of whatever status.
    ///
    /// It follows no redirection, takes no proxy from the environment, keeps no cookies, and waits and reads no more than the
    /// request allows.
    func send(_ request: HTTPRequest) async throws(NodeError) -> HTTPResponse
}

/// A question to a node.
public struct HTTPRequest: Sendable {
    /// What is asked of the path.
    public enum Method: Sendable {
        /// A question without a body.
        case get
        /// A question with a body of this media type.
        ///
        /// - Parameter type: the body's media type, `application/json`.
        case post([UInt8], type: String)
    }

    /// Where to, with the credentials if it has some.
    public let address: NodeAddress
    /// The method, with the body that belongs to it.
    public let method: Method
    /// Follows the address's own path.
    public let path: String
    /// Bytes of the answer's body; a longer one is ``NodeError/tooLarge(limit:)``.
    public let limit: Int
    /// For all of it; then it is ``NodeError/timedOut(_:)``.
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

/// What came back.
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
    /// Throws what a status says without regard to the body, where it says something.
    func checkStatus() throws(NodeError) {
        switch status {
        case 300..<400: throw .redirected
        case 401, 403: throw .unauthorised
        default: break
        }
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the body begins as a page does.
    var looksLikeHTML: Bool {
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        return body.first { !space.contains($0) } == UInt8(ascii: "<")
    }
}
