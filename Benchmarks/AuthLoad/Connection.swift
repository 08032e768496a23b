#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A persistent connection that waits for each response. It does as little as possible, so that the server is measured
/// and not the client.
final class Connection {
    private let socket: Int32
    private let authority: String
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    struct Answer {
        let status: Int
        let nonce: String?
        let body: [UInt8]
    }

    struct Failed: Error {}

    init(port: UInt16) throws {
        authority = "localhost:\(port)"
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failed() }
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    func post(_ path: String, proof: String, token: String? = nil, body: [UInt8]) throws -> Answer {
        var request = Array(
            """
            POST \(path) HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/json\r\nDPoP: \(proof)\r\n\
            \(token.map { "Authorization: DPoP \($0)\r\n" } ?? "")Content-Length: \(body.count)\r\n\r\n
            """.utf8)
        request += body
        try send(request)
        return try receive()
    }

    func get(_ path: String, proof: String? = nil, token: String? = nil) throws -> Answer {
        let head = """
            GET \(path) HTTP/1.1\r\nHost: \(authority)\r\n\(proof.map { "DPoP: \($0)\r\n" } ?? "")\
            \(token.map { "Authorization: DPoP \($0)\r\n" } ?? "")\r\n
            """
        try send(Array(head.utf8))
        return try receive()
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw Failed() }
            rest = rest.dropFirst(count)
        }
    }

    private func receive() throws -> Answer {
        var received: [UInt8] = []
        var end: Int?
        while true {
            if end == nil { end = Self.endOfHead(received) }
            if let end {
                let head = String(decoding: received[..<end], as: UTF8.self)
                let length = Self.field("content-length", in: head).flatMap { Int($0) } ?? 0
                if received.count >= end + length {
                    guard let status = Int(head.dropFirst(9).prefix(3)) else { throw Failed() }
                    return Answer(
                        status: status, nonce: Self.field("dpop-nonce", in: head),
                        body: Array(received[end..<(end + length)]))
                }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failed() }
            received += buffer[..<count]
        }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end: [UInt8] = [13, 10, 13, 10]
        return bytes.indices.dropFirst(3).first { bytes[($0 - 3)...$0].elementsEqual(end) }.map { $0 + 1 }
    }

    private static func field(_ name: String, in head: String) -> String? {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name { return parts[1].drop { $0 == " " }.description }
        }
        return nil
    }
}
