internal import PinnedHTTP

/// A decoder of a server's frames and messages (RFC 6455, section 5) from the bytes of a connection, in pieces of any
/// size. It does no I/O.
package struct WebSocketDecoder: Sendable {
    /// A message or a control frame.
    package enum Item: Equatable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        /// The end, with the code if there is one. The reason, a text of the server, is checked and dropped.
        case close(code: UInt16?)
    }

    private enum State {
        case header
        case payload(WebSocketFrame.Header, left: Int)
    }

    /// A message that is not complete.
    private struct Partial {
        let isText: Bool
        var bytes: [UInt8] = []
        var fragments = 0
    }

    private let limit: Int
    private var unread = Unread()
    private var header: [UInt8] = []
    private var state = State.header
    private var control: [UInt8] = []
    private var message: Partial?

    /// - Parameter limit: the maximum size of a message.
    package init(limit: Int) { self.limit = limit }

    /// Adds bytes of the connection. The caller reads all items before it adds more.
    package mutating func append(_ bytes: some Collection<UInt8>) { unread.append(bytes) }

    /// Returns the next item; nil if more bytes are needed. After an error it reads nothing more.
    package mutating func next() throws(WebSocketViolation) -> Item? {
        while true {
            switch state {
            case .header:
                guard let header = try readHeader() else { return nil }
                try begin(header)
                state = .payload(header, left: header.length)
            case .payload(let header, let left):
                let taken = unread.take(upTo: left)
                if header.opcode.isControl {
                    control.append(contentsOf: taken)
                } else {
                    message?.bytes.append(contentsOf: taken)
                }
                guard taken.count == left else {
                    state = .payload(header, left: left - taken.count)
                    return nil
                }
                state = .header
                if let item = try end(header) { return item }
            }
        }
    }

    private mutating func readHeader() throws(WebSocketViolation) -> WebSocketFrame.Header? {
        while true {
            let size = try WebSocketFrame.Header.size(header)
            if header.count == size {
                defer { header = [] }
                return try WebSocketFrame.Header(header)
            }
            let taken = unread.take(upTo: size - header.count)
            guard !taken.isEmpty else { return nil }
            header.append(contentsOf: taken)
        }
    }

    /// Checks a frame before its payload is read, so that no more is kept than allowed.
    private mutating func begin(_ header: WebSocketFrame.Header) throws(WebSocketViolation) {
        guard !header.opcode.isControl else {
            control = []
            return
        }
        var partial: Partial
        switch (header.opcode, message) {
        case (.continuation, let begun?): partial = begun
        case (.continuation, nil), (_, _?): throw .fragment
        case (let opcode, nil): partial = Partial(isText: opcode == .text)
        }
        partial.fragments += 1
        guard partial.fragments <= WebSocketLimits.fragments else { throw .tooManyFragments }
        guard header.length <= limit - partial.bytes.count else { throw .tooLarge(limit: limit) }
        message = partial
    }

    private mutating func end(_ header: WebSocketFrame.Header) throws(WebSocketViolation) -> Item? {
        switch header.opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        case .close: return .close(code: try Self.closeCode(control))
        case .continuation, .text, .binary:
            guard header.isFinal, let whole = message.take() else { return nil }
            guard whole.isText else { return .message(.binary(whole.bytes)) }
            guard let text = String(validating: whole.bytes, as: UTF8.self) else { throw .notUTF8 }
            return .message(.text(text))
        }
    }

    /// Reads the payload of a close frame (sections 5.5.1 and 7.4).
    private static func closeCode(_ payload: [UInt8]) throws(WebSocketViolation) -> UInt16? {
        guard let high = payload.first else { return nil }
        guard let low = payload.dropFirst().first else { throw .closeCode }
        let code = UInt16(high) << 8 | UInt16(low)
        guard isSendable(code) else { throw .closeCode }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else { throw .notUTF8 }
        return code
    }

    /// Whether an endpoint may send a code: the registered ones of RFC 6455 and its registry, those of libraries, and
    /// those of applications.
    static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
