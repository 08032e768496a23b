import PinnedHTTP
import TestSupport
import Testing

@testable import Nodes

@Suite("Requests to a node, with real sockets", .timeLimit(.minutes(20)))
struct TransportTests {
    private func ask(
        _ url: String, limit: Int = 10_000, timeout: Duration = .seconds(Patience.seconds)
    ) async throws(NodeError) -> HTTPResponse {
        let address = try NodeAddress(url)
        let request = NodeRequest(
            method: .post(Array("question".utf8), type: "application/json", .allowed), path: "/further", limit: limit,
            timeout: timeout)
        let client = try client(to: address)
        do throws(NodeRequest.Unanswered) { return try await request.send(to: address, over: client) } catch {
            throw error.error
        }
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

    @Test("an answer of the limit's size is returned; one byte more is too large, and so is one without an end")
    func limit() async throws {
        let node = try FakeNode { _ in FakeNode.http("12345") }
        #expect(try await ask(node.url, limit: 5).body.count == 5)
        await #expect(throws: NodeError.tooLarge(limit: 4)) { try await ask(node.url, limit: 4) }
        let endless = try FakeNode { _ in
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .repeatWithoutEnd("4\r\naaaa\r\n"),
            ]
        }
        await #expect(throws: NodeError.tooLarge(limit: 10_000)) { try await ask(endless.url) }
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        let other = try FakeNode { _ in FakeNode.http("stolen") }
        let node = try FakeNode { _ in
            FakeNode.http("", status: "307 Temporary Redirect", headers: ["Location: \(other.url)/"])
        }
        await #expect(throws: NodeError.redirected) { try await ask(node.url) }
        #expect(other.requests.isEmpty)
    }

    @Test("a node that closes the connection before or within its answer is reported")
    func closed() async throws {
        let silent = try FakeNode { _ in [] }
        await #expect(throws: NodeError.unreachable(.closed)) { try await ask(silent.url) }
        #expect(silent.requests.count == 1, "the client makes one attempt; the rule of questions repeats them")
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
        let address = try NodeAddress("http://127.0.0.1:\(port.number)")
        let patient = try NodeConnection.usual().client(to: address, connectTimeout: .seconds(900))
        let request = NodeRequest(method: .get, timeout: .seconds(Patience.seconds))
        await #expect {
            try await request.send(to: address, over: patient)
        } throws: { error in
            guard let error = error as? NodeRequest.Unanswered else { return false }
            return error.error == .unreachable(.notConnected) && !error.mayHaveArrived
        }
    }

    @Test("a cancelled task ends without waiting for the node")
    func cancelled() async throws {
        let node = try FakeNode { _ in [.silence] }
        let task = Task { try await ask(node.url) }
        try await Patience.wait(for: "the question") { !node.requests.isEmpty }
        task.cancel()
        // A caller that waits for the node learns that the task is cancelled.
        await #expect(throws: NodeError.cancelled) { try await task.value }
    }
}
