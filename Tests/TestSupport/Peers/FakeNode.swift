internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A listener on a port of this machine that answers as a test chooses, on real sockets. It stops with this value.
public final class FakeNode: Sendable {
    /// A request that it received.
    public struct Request: Sendable {
        /// The request's line and its headers.
        public let head: String
        public let body: [UInt8]

        public init(head: String, body: [UInt8]) {
            self.head = head
            self.body = body
        }

        /// Returns the value of a header.
        public func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Its actions, in order; at the end it closes the connection.
    public enum Step: Sendable {
        case send(String)
        /// No answer, until the client hangs up.
        case silence
        /// The same text repeatedly, until the client closes the connection.
        case repeatWithoutEnd(String)
    }

    public let port: UInt16
    private let listener: Int32
    private let log = Mutex<[Request]>([])
    private let answer: @Sendable (Request) -> [Step]

    /// The requests that it received.
    public var requests: [Request] { log.withLock { $0 } }
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Answers each request on a connection of its own.
    public init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
        self.answer = answer
        (listener, port) = try Self.bound()
        let listener = listener
        guard listen(listener, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        let thread = Thread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                // The listener is only closed here: its number could soon be another test's socket.
                guard connection >= 0, let node = self else {
                    close(connection)
                    close(listener)
                    return
                }
                Thread { node.serve(connection) }.start()
            }
        }
        thread.start()
    }

    deinit {
        // Wakes the thread that waits for connections, which then finds that it should end.
        _ = try? LocalConnection(to: port)
    }

    /// Opens a socket with a free port of this machine.
    fileprivate static func bound() throws -> (socket: Int32, port: UInt16) {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LocalConnection.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(socket, general, size) == 0 && getsockname(socket, general, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Returns a whole answer, after which the connection is closed.
    public static func http(_ body: String, status: String = "200 OK", headers: [String] = []) -> [Step] {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
        return [.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)]
    }

    /// Returns the answer of another server on this machine to the same request.
    public static func relayed(_ request: Request, to port: UInt16) -> [Step] {
        let kept = request.head.split(separator: "\r\n").filter { !$0.lowercased().hasPrefix("connection:") }
        let head = kept.joined(separator: "\r\n") + "\r\nConnection: close\r\n\r\n"
        guard let connection = try? LocalConnection(to: port),
            connection.write(head + String(decoding: request.body, as: UTF8.self))
        else { return [] }
        return [.send(announcingEnd(String(decoding: connection.read(), as: UTF8.self)))]
    }

    /// Returns an answer that says that the connection ends with it. Otherwise the client could send its next request
    /// on a connection that is about to close, and get no answer.
    private static func announcingEnd(_ answer: String) -> String {
        guard let line = answer.range(of: "\r\n") else { return answer }
        return answer.replacingCharacters(in: line, with: "\r\nConnection: close\r\n")
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = Self.request(from: connection) else { return }
        log.withLock { $0.append(request) }
        for step in answer(request) {
            switch step {
            case .silence:
                var byte: UInt8 = 0
                while recv(connection, &byte, 1, 0) > 0 {}
            case .send(let text): guard LocalConnection.write(text, to: connection) else { return }
            case .repeatWithoutEnd(let text):
                while LocalConnection.write(text, to: connection) {}
                return
            }
        }
    }

    private static func request(from connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                let request = Request(head: head, body: Array(bytes[end.upperBound...]))
                let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
                if request.body.count >= length { return request }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }
}

/// A port of this machine without a listener, while this value lives.
public struct DeadPort: ~Copyable {
    public let number: UInt16
    private let socket: Int32

    public init() throws {
        let (socket, number) = try FakeNode.bound()
        self.socket = socket
        self.number = number
    }

    deinit { close(socket) }
}
