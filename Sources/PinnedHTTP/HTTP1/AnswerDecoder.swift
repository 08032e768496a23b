internal import Encoding

/// A decoder of one answer of HTTP/1.1 (RFC 9112) from the bytes of a connection, in pieces of any size. It does no I/O.
///
/// ```swift
/// var decoder = AnswerDecoder(toHead: false, limit: 1 << 20)
/// while decoder.answer == nil { try decoder.append(try await wire.receive()) }
/// ```
struct AnswerDecoder: Sendable {
    /// The reasons to refuse an answer.
    enum Fault: Error, Equatable {
        /// It breaks the rules of HTTP/1.1.
        case notHTTP
        /// Its body is longer than the limit.
        case tooLarge
        /// The connection ended before the answer did.
        case closed
    }

    private enum State {
        case head
        case length(left: Int)
        case chunkLine
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case untilEnd
        case complete
    }

    private let isHead: Bool
    private let limit: Int
    private var state = State.head
    private var unread = Unread()
    private var lines: [ArraySlice<UInt8>] = []
    private var lineBytes = 0
    private var interimAnswers = 0
    private var head: AnswerHead?
    private var framing = BodyFraming.none
    private var body: [UInt8] = []

    /// The whole answer, once its last byte was read.
    private(set) var answer: HTTPResponse?

    /// - Parameters:
    ///   - isHead: whether the request's method is HEAD, whose answers have no body.
    ///   - limit: the maximum size of the body.
    init(toHead isHead: Bool, limit: Int) {
        self.isHead = isHead
        self.limit = limit
    }

    /// Whether the connection can carry another request: the answer says so, and nothing follows it.
    var isReusable: Bool {
        guard answer != nil, let head, framing != .untilEnd, unread.isEmpty else { return false }
        return head.minorVersion == 1 && !head.tokens("connection").contains("close")
    }

    /// Reads more bytes of the connection.
    mutating func append(_ bytes: some Collection<UInt8>) throws(Fault) {
        unread.append(bytes)
        while try step() {}
    }

    /// Tells that no more bytes will come.
    ///
    /// - Parameter isWhole: false if the end may be an attacker's: TLS announces the end of a connection, and this one
    ///   had no announcement.
    mutating func end(isWhole: Bool) throws(Fault) {
        guard case .untilEnd = state, isWhole else { throw .closed }
        complete()
    }

    /// Reads the next piece. Returns false if it needs more bytes, or is complete.
    private mutating func step() throws(Fault) -> Bool {
        switch state {
        case .complete: return false
        case .head:
            guard let line = try line(limit: HTTPLimits.headBytes) else { return false }
            try readHead(line)
        case .length(let left):
            guard let taken = takeBody(upTo: left) else { return false }
            if taken == left { complete() } else { state = .length(left: left - taken) }
        case .chunkLine:
            guard let line = try line(limit: HTTPLimits.chunkLineBytes) else { return false }
            lineBytes = 0
            try readChunkLine(line)
        case .chunk(let left):
            guard let taken = takeBody(upTo: left) else { return false }
            state = taken == left ? .chunkEnd : .chunk(left: left - taken)
        case .chunkEnd:
            guard let line = try line(limit: 2) else { return false }
            lineBytes = 0
            guard line.isEmpty else { throw .notHTTP }
            state = .chunkLine
        case .trailers:
            guard let line = try line(limit: HTTPLimits.headBytes) else { return false }
            try readTrailer(line)
        case .untilEnd:
            guard body.count + unread.count <= limit else { throw .tooLarge }
            guard takeBody(upTo: .max) != nil else { return false }
        }
        return true
    }

    private mutating func readHead(_ line: ArraySlice<UInt8>) throws(Fault) {
        // A server of another protocol says so in its first line, and may then wait for ours.
        if lines.isEmpty, !line.starts(with: "HTTP/1.".utf8) { throw .notHTTP }
        guard line.isEmpty else { return try keep(line) }
        guard let head = AnswerHead(parsing: lines) else { throw .notHTTP }
        do throws(AnswerHead.Malformed) { framing = try BodyFraming(of: head, toHead: isHead) } catch { throw .notHTTP }
        lines = []
        lineBytes = 0
        // RFC 9110, section 15.2. The client asked for no other protocol: 101 answers something else.
        if head.status < 200 {
            interimAnswers += 1
            guard head.status != 101, interimAnswers <= HTTPLimits.interimAnswers else { throw .notHTTP }
            return
        }
        self.head = head
        switch framing {
        case .none: complete()
        case .length(let length):
            guard length <= limit else { throw .tooLarge }
            state = .length(left: length)
        case .chunked: state = .chunkLine
        case .untilEnd: state = .untilEnd
        }
    }

    /// Reads the size of a chunk (RFC 9112, section 7.1). Extensions are ignored.
    private mutating func readChunkLine(_ line: ArraySlice<UInt8>) throws(Fault) {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        // 15 digits are more than any limit, and fit.
        guard (1...15).contains(digits.count) else { throw .notHTTP }
        var size = 0
        for digit in digits {
            guard let value = Hex.value(of: digit) else { throw .notHTTP }
            size = size << 4 | Int(value)
        }
        guard line.dropFirst(digits.count).allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .notHTTP }
        guard size <= limit - body.count else { throw .tooLarge }
        state = size == 0 ? .trailers : .chunk(left: size)
    }

    private mutating func readTrailer(_ line: ArraySlice<UInt8>) throws(Fault) {
        guard line.isEmpty else { return try keep(line) }
        // They are checked and dropped: nothing here needs one, and a trailer must not replace a header.
        guard (try? AnswerHead.headers(lines)) != nil else { throw .notHTTP }
        lines = []
        complete()
    }

    /// Keeps a line until the empty one after it.
    private mutating func keep(_ line: ArraySlice<UInt8>) throws(Fault) {
        guard lines.count <= HTTPLimits.answerHeaders else { throw .notHTTP }
        // A copy: a slice would keep the whole buffer in memory, each line another one.
        lines.append(Array(line)[...])
    }

    private mutating func complete() {
        guard let head else { return }
        state = .complete
        answer = HTTPResponse(status: head.status, headers: head.headers, body: body)
    }

    /// Moves bytes to the body. Returns how many, or nil if it needs more bytes.
    private mutating func takeBody(upTo count: Int) -> Int? {
        let taken = unread.take(upTo: count)
        guard !taken.isEmpty else { return nil }
        body.append(contentsOf: taken)
        return taken.count
    }

    /// Returns the next line without its CR LF, or nil if it is not complete.
    ///
    /// - Parameter limit: the maximum size of all lines of this part together, with their ends.
    private mutating func line(limit: Int) throws(Fault) -> ArraySlice<UInt8>? {
        switch unread.line(limit: limit - lineBytes) {
        case .line(let line):
            lineBytes += line.count + 2
            return line
        case .incomplete: return nil
        case .malformed: throw .notHTTP
        }
    }
}
