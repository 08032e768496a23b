import Nodes
import TestSupport
import Testing

@Suite("The transport, with real sockets", .timeLimit(.minutes(20)))
struct TransportTests {
    private func transport(connectTimeout: Duration = .seconds(Patience.seconds)) throws -> HTTPClientTransport {
        try HTTPClientTransport(userAgent: "fueki/test", connectTimeout: connectTimeout)
    }

    private func ask(
        _ url: String, limit: Int = 10_000, timeout: Duration = .seconds(Patience.seconds)
    ) async throws(NodeError) -> HTTPResponse {
        let request = HTTPRequest(
            to: try NodeAddress(url), .post(Array("question".utf8), type: "application/json"), path: "/further",
            limit: limit, timeout: timeout)
        return try await HTTPClientTransport(userAgent: "fueki/test", connectTimeout: .seconds(Patience.seconds)).send(
            request)
    }

    @Test("the answer has its status, and the request contains the user agent, the credentials, and nothing else")
    func answer() async throws {
        let node = try FakeNode { _ in FakeNode.http("answer", status: "404 Not Found") }
        let response = try await ask("http://user:p%40ss@127.0.0.1:\(node.port)/base/")
        #expect(response.status == 404)
        #expect(String(decoding: response.body, as: UTF8.self) == "answer")
        let request = try #require(node.requests.first)
        #expect(request.head.hasPrefix("POST /base/further HTTP/1.1\r\n"))
        #expect(request.body == Array("question".utf8))
        #expect(request.header("User-Agent") == "fueki/test")
        #expect(request.header("Authorization") == "Basic dXNlcjpwQHNz")
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.header("Cookie") == nil)
        #expect(request.header("Accept-Encoding") == nil)
    }

    @Test("a node that does not answer times out")
    func late() async throws {
        let node = try FakeNode { _ in [.silence] }
        await #expect(throws: NodeError.timedOut(.answering)) { try await ask(node.url, timeout: .milliseconds(200)) }
    }

    @Test("a node that answers slowly without an end times out")
    func drips() async throws {
        let node = try FakeNode { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"), .repeatWithoutEnd("x", pause: 20)]
        }
        await #expect(throws: NodeError.timedOut(.answering)) { try await ask(node.url, timeout: .milliseconds(400)) }
    }

    @Test("an endless answer is too large")
    func endless() async throws {
        let node = try FakeNode { _ in
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .repeatWithoutEnd("4\r\naaaa\r\n", pause: 0),
            ]
        }
        await #expect(throws: NodeError.tooLarge(limit: 10_000)) { try await ask(node.url) }
    }

    @Test("an answer of the limit's size is returned; one byte more is too large")
    func limit() async throws {
        let node = try FakeNode { _ in FakeNode.http("12345") }
        #expect(try await ask(node.url, limit: 5).body.count == 5)
        await #expect(throws: NodeError.tooLarge(limit: 4)) { try await ask(node.url, limit: 4) }
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        let other = try FakeNode { _ in FakeNode.http("stolen") }
        let node = try FakeNode { _ in
            FakeNode.http("", status: "307 Temporary Redirect", headers: ["Location: \(other.url)/"])
        }
        #expect(try await ask(node.url).status == 307)
        #expect(other.requests.isEmpty)
    }

    @Test("a compressed answer is not decompressed, so it cannot grow in memory")
    func packed() async throws {
        let node = try FakeNode { _ in FakeNode.http("packed", headers: ["Content-Encoding: gzip"]) }
        #expect(String(decoding: try await ask(node.url).body, as: UTF8.self) == "packed")
    }

    @Test("a node that closes the connection before or within its answer is reported")
    func closed() async throws {
        let silent = try FakeNode { _ in [] }
        await #expect(throws: NodeError.unreachable(.closed)) { try await ask(silent.url) }
        let half = try FakeNode { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")] }
        await #expect(throws: NodeError.unreachable(.closed)) { try await ask(half.url) }
    }

    @Test("an answer that is not HTTP is refused")
    func otherProtocol() async throws {
        let node = try FakeNode { _ in [.send("SSH-2.0-OpenSSH_9.2\r\n"), .silence] }
        await #expect(throws: NodeError.unreachable(.notHTTP)) { try await ask(node.url) }
    }

    @Test("without a node the connection fails at once, before its timeout")
    func nobody() async throws {
        let port = try DeadPort()
        let patient = try transport(connectTimeout: .seconds(900))
        for url in ["http://127.0.0.1:\(port.number)", "http://nobody.invalid"] {
            // If the connection were retried, the request's timeout would pass first, which is another error.
            let request = HTTPRequest(to: try NodeAddress(url), .get, timeout: .seconds(Patience.seconds))
            await #expect(throws: NodeError.unreachable(.notConnected)) { try await patient.send(request) }
        }
    }

    @Test("a cancelled task ends without waiting for the node")
    func cancelled() async throws {
        let node = try FakeNode { _ in [.silence] }
        let task = Task { try await ask(node.url, timeout: .seconds(Patience.seconds)) }
        try await Patience.wait(for: "the question") { !node.requests.isEmpty }
        task.cancel()
        // A caller that waits for the node learns that the task is cancelled.
        await #expect(throws: NodeError.cancelled) { try await task.value }
    }

    @Test(
        "https: a certificate that nobody vouches for is refused; the same one works where the person trusts it, for its name only"
    )
    func certificates() async throws {
        let server = try HTTPSServer(name: "localhost")
        let address = try NodeAddress("https://localhost:\(server.port)")
        let request = HTTPRequest(to: address, .get)
        await #expect(throws: NodeError.untrusted) { try await transport().send(request) }
        let trusting = try HTTPClientTransport(userAgent: "fueki/test", roots: Array(server.certificate.utf8))
        #expect(try await trusting.send(request).status == 200)
        let other = HTTPRequest(to: try NodeAddress("https://127.0.0.1:\(server.port)"), .get)
        await #expect(throws: NodeError.untrusted) { try await trusting.send(other) }
        #expect(throws: NodeError.untrusted) { try HTTPClientTransport(userAgent: "x", roots: [0x2D]) }
    }
}
