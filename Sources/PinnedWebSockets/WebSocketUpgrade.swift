internal import Crypto
internal import Encoding
internal import PinnedHTTP
internal import Secrets

/// The change of a connection from HTTP to WebSocket (RFC 6455, section 4). It does no I/O.
struct WebSocketUpgrade: Sendable {
    private let request: WebSocketRequest
    private let key: String
    private var unread = Unread()
    private var lines: [ArraySlice<UInt8>] = []
    private var lineBytes = 0
    private var interimAnswers = 0

    /// - Parameter random: makes the key, which ties the answer to this request.
    init(_ request: WebSocketRequest, random: any RandomSource) {
        self.request = request
        key = Base64.encode(random.publicBytes(count: 16))
    }

    /// Encodes the request.
    func encoded(userAgent: String) -> [UInt8] {
        var head = "GET \(request.target) HTTP/1.1\r\nHost: \(request.origin.authority)\r\n"
        if !userAgent.isEmpty { head += "User-Agent: \(userAgent)\r\n" }
        for header in request.headers { head += "\(header.name): \(header.value)\r\n" }
        head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        head += "Sec-WebSocket-Key: \(key)\r\n\r\n"
        return Array(head.utf8)
    }

    /// The answers to the request.
    enum Answer: Sendable {
        /// The protocol has changed; these bytes are frames already.
        case upgraded(rest: [UInt8])
        /// Another status, with the headers of its answer.
        case refused(HTTPResponse)
    }

    /// Reads more bytes of the answer. Returns nil until it is complete.
    mutating func append(_ bytes: some Collection<UInt8>) throws(WebSocketHandshakeFault) -> Answer? {
        unread.append(bytes)
        while true {
            let line: ArraySlice<UInt8>
            switch unread.line(limit: HTTPLimits.headBytes - lineBytes) {
            case .incomplete: return nil
            case .malformed: throw .notHTTP
            case .line(let read): line = read
            }
            // A server of another protocol says so in its first line, and may then wait for ours.
            if lines.isEmpty, !line.starts(with: "HTTP/1.".utf8) { throw .notHTTP }
            lineBytes += line.count + 2
            guard line.isEmpty else {
                guard lines.count <= HTTPLimits.answerHeaders else { throw .notHTTP }
                // A copy: a slice would keep the whole buffer in memory, each line another one.
                lines.append(Array(line)[...])
                continue
            }
            guard let head = AnswerHead(parsing: lines) else { throw .notHTTP }
            if head.status < 200, head.status != 101 {
                interimAnswers += 1
                guard interimAnswers <= HTTPLimits.interimAnswers else { throw .notHTTP }
                (lines, lineBytes) = ([], 0)
                continue
            }
            guard head.status == 101 else {
                return .refused(HTTPResponse(status: head.status, headers: head.headers, body: []))
            }
            try check(head)
            return .upgraded(rest: Array(unread.take(upTo: unread.count)))
        }
    }

    private func check(_ head: AnswerHead) throws(WebSocketHandshakeFault) {
        guard head.minorVersion == 1, head.tokens("upgrade") == ["websocket"],
            head.tokens("connection").contains("upgrade")
        else { throw .upgrade }
        guard head.values("sec-websocket-accept") == [Self.accept(key)] else { throw .accept }
        guard head.values("sec-websocket-extensions").isEmpty, head.values("sec-websocket-protocol").isEmpty else {
            throw .unrequested
        }
    }

    /// Computes the answer to a key. SHA-1 protects nothing here: it shows that the server speaks this protocol.
    static func accept(_ key: String) -> String {
        Base64.encode(Array(Insecure.SHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))))
    }
}
