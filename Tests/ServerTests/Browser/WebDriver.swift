internal import AsyncHTTPClient
internal import Encoding
internal import NIOCore
internal import NIOHTTP1
internal import ServerHTTP
internal import TestSupport

/// A chromedriver process, which controls Chromium (W3C WebDriver).
final class WebDriver: Sendable {
    private let program: Companion
    private let port: UInt16

    /// An error that the driver reports.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init() async throws {
        guard let path = Peer.path(of: "chromedriver") else { throw Failure(description: "there is no chromedriver") }
        // With port 0 it takes a free port of IPv4 and the same one of IPv6, which may not be free.
        (program, port) = try await FreePort.first { port in
            let program = try Companion(path, ["--port=\(port)"])
            _ = try await program.line(with: "started successfully on port")
            return (program, port)
        }
    }

    /// Sends one command, by its path.
    ///
    /// - Returns: the member `value` of the answer.
    @discardableResult
    func command(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .RAW(value: method)
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body.encoded)
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(Int64(Patience.seconds)))
        // A screenshot is an answer of several megabytes.
        let bytes = try await response.body.collect(upTo: 64 << 20)
        let value = try JSON(decoding: bytes.readableBytesView, limit: 64 << 20)["value"] ?? .null
        guard response.status == .ok else {
            let words = [value["error"]?.string, value["message"]?.string].compactMap { $0 }
            throw Failure(description: "\(method) \(path): \(words.joined(separator: ": "))")
        }
        return value
    }
}
