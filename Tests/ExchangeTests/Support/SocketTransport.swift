import Dispatch
import Foundation
import PinnedHTTP

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sends bytes; a method named `send` hides the system's function. Returns their number, or -1.
private func transmit(_ connection: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
}

/// A transport over plain sockets, one connection for each request, for peers on this machine.
struct SocketTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Self.exchange(request)) }
        }
        return try result.get()
    }

    private static func exchange(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = request.origin.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return .failure(HTTPFailure(.notConnected, mayHaveArrived: false)) }
        var lines = ["\(request.method.rawValue) \(request.target) HTTP/1.1", "Host: \(request.origin.authority)"]
        lines += ["Content-Length: \(request.body.count)", "User-Agent: test", "Connection: close"]
        lines += request.headers.map { "\($0.name): \($0.value)" }
        var rest = (Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + request.body)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { transmit(connection, $0) }
            guard count > 0 else { return .failure(HTTPFailure(.closed, mayHaveArrived: true)) }
            rest = rest.dropFirst(count)
        }
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= request.limit else {
                return .failure(HTTPFailure(.tooLarge(limit: request.limit), mayHaveArrived: true))
            }
        }
        return response(in: bytes).map { .success($0) } ?? .failure(HTTPFailure(.closed, mayHaveArrived: true))
    }

    private static func response(in bytes: Data) -> HTTPResponse? {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let headers = lines.dropFirst().compactMap { line -> HTTPHeader? in
            let sides = line.split(separator: ":", maxSplits: 1)
            return sides.count == 2 ? HTTPHeader(String(sides[0]), sides[1].trimmingCharacters(in: .whitespaces)) : nil
        }
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        let response = HTTPResponse(status: status, headers: headers, body: Array(bytes[end.upperBound...]))
        guard response.header("Content-Length").flatMap(Int.init) == response.body.count else { return nil }
        return response
    }
}
