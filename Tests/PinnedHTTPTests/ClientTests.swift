import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("The client, with real sockets", .timeLimit(.minutes(20)))
struct ClientTests {
    private let world: TestWorld

    init() throws { world = try TestWorld.shared.get() }

    private func plain(
        _ retries: RetryPolicy = .never, pool: PoolLimits = PoolLimits(),
        sleeping: any Clock<Duration> = ContinuousClock()
    ) throws -> PinnedClient {
        client(roots: try world.roots(), plain: .loopback, retries: retries, pool: pool, sleeping: sleeping)
    }

    private func query(_ port: UInt16, limit: Int = 10_000) throws -> HTTPRequest {
        try request(port, host: "127.0.0.1", scheme: .http, .get, limit: limit)
    }

    private func order(_ port: UInt16, timeout: Duration = .seconds(Patience.seconds)) throws -> HTTPRequest {
        try request(port, host: "127.0.0.1", scheme: .http, body: "order", timeout: timeout)
    }

    // MARK: - Without TLS

    @Test("HTTP without TLS is refused unless the configuration names the host, and always for a host with pins")
    func notEncrypted() async throws {
        let node = try FakeNode { _ in FakeNode.http("plain") }
        let failure = HTTPFailure(.notEncrypted, mayHaveArrived: false)
        let request = try request(node.port, host: "127.0.0.1", scheme: .http)
        await #expect(throws: failure) { try await client(roots: try world.roots()).send(request) }
        let other = try PinnedHTTPTestSupport.request(node.port, host: "node.example.test", scheme: .http)
        await #expect(throws: failure) { try await client(roots: try world.roots(), plain: .loopback).send(other) }
        await #expect(throws: failure) {
            try await client(roots: try world.roots(), plain: .hosts(["a.test"])).send(other)
        }
        let pinned = try PinPolicy.pinning("127.0.0.1", to: [.of(world.leaf)])
        await #expect(throws: failure) {
            try await client(pinned, roots: try world.roots(), plain: .hosts(["127.0.0.1"])).send(request)
        }
        #expect(node.requests.isEmpty)
        #expect(try await client(roots: try world.roots(), plain: .loopback).send(request).status == 200)
        // A host that is named is looked up; this one does not exist.
        await #expect(throws: HTTPFailure(.notConnected, mayHaveArrived: false)) {
            try await client(roots: try world.roots(), plain: .hosts(["node.invalid"])).send(
                PinnedHTTPTestSupport.request(node.port, host: "node.invalid", scheme: .http))
        }
    }

    // MARK: - Whether the request may have arrived

    @Test("without a server the request has not arrived")
    func notConnected() async throws {
        let port = try DeadPort()
        await #expect(throws: HTTPFailure(.notConnected, mayHaveArrived: false)) {
            try await plain().send(order(port.number))
        }
    }

    @Test("a connection that ends before the answer: the request may have arrived")
    func closed() async throws {
        for steps in [[], [.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")]] as [[FakeNode.Step]] {
            let node = try FakeNode { _ in steps }
            await #expect(throws: HTTPFailure(.closed, mayHaveArrived: true)) {
                try await plain().send(order(node.port))
            }
        }
    }

    @Test("a time-out in the connection: the request has not arrived; one in the answer: it may have")
    func timeouts() async throws {
        // It accepts the connection in the background and says nothing of TLS.
        let silent = try RecordingServer()
        let impatient = client(roots: try world.roots(), connectTimeout: .milliseconds(200))
        await #expect(throws: HTTPFailure(.timedOut(.connecting), mayHaveArrived: false)) {
            try await impatient.send(request(silent.port))
        }
        // Silence, and an answer that does not get on: its first byte does not begin the time anew.
        for answer in [[], [.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nx")]] as [[FakeNode.Step]] {
            let node = try FakeNode { _ in answer + [.silence] }
            let clock = StagedClock()
            let (client, order) = (try plain(sleeping: clock), try order(node.port, timeout: .seconds(5)))
            let sending = Task { try await client.send(order) }
            try await Patience.wait(for: "the request") { !node.requests.isEmpty }
            try await clock.end(.seconds(5))
            await #expect(throws: HTTPFailure(.timedOut(.answering), mayHaveArrived: true)) { try await sending.value }
            #expect(clock.begun(.seconds(5)) == 1)
        }
    }

    @Test("a cancelled task ends at once, and knows whether its request had left")
    func cancelled() async throws {
        let node = try FakeNode { _ in [.silence] }
        let client = try plain()
        let request = try order(node.port)
        let task = Task { try await client.send(request) }
        try await Patience.wait(for: "the request") { !node.requests.isEmpty }
        task.cancel()
        await #expect(throws: HTTPFailure(.cancelled, mayHaveArrived: true)) { try await task.value }
        let silent = try RecordingServer()
        let early = try PinnedHTTPTestSupport.request(silent.port)
        let other = PinnedHTTPTestSupport.client(roots: try world.roots())
        let waiting = Task { try await other.send(early) }
        try await Patience.wait(for: "the handshake") { try !silent.application.isEmpty }
        waiting.cancel()
        await #expect(throws: HTTPFailure(.cancelled, mayHaveArrived: false)) { try await waiting.value }
    }

    @Test("an endless answer is too large, and one that is not HTTP is named")
    func bounds() async throws {
        let endless = try FakeNode { _ in
            [
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .repeatWithoutEnd("4\r\naaaa\r\n"),
            ]
        }
        await #expect(throws: HTTPFailure(.tooLarge(limit: 10_000), mayHaveArrived: true)) {
            try await plain().send(query(endless.port))
        }
        let other = try FakeNode { _ in [.send("SSH-2.0-OpenSSH_9.2\r\n"), .silence] }
        await #expect(throws: HTTPFailure(.notHTTP, mayHaveArrived: true)) { try await plain().send(query(other.port)) }
    }

    @Test("an answer that comes before the end of a large request is read")
    func earlyAnswer() async throws {
        let server = try RecordingServer(answer: "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
        let large = try HTTPRequest(
            .post, "/", at: Origin(.http, host: "127.0.0.1", port: server.port).required,
            body: Array(repeating: 0x61, count: 3 << 20)
        ).required
        #expect(try await plain().send(large).status == 413)
        #expect(try server.application.utf8.count > 3 << 20)
    }

    // MARK: - Answers

    @Test("a redirect is returned and not followed; a compressed body is returned as it is")
    func noRedirect() async throws {
        let other = try FakeNode { _ in FakeNode.http("stolen") }
        let node = try FakeNode { _ in
            FakeNode.http(
                "packed", status: "307 Temporary Redirect",
                headers: ["Location: \(other.url)/", "Content-Encoding: gzip", "Set-Cookie: a=b"])
        }
        let answer = try await plain().send(query(node.port))
        #expect(answer.status == 307)
        #expect(answer.body == Array("packed".utf8))
        #expect(other.requests.isEmpty)
        _ = try await plain().send(query(node.port))
        let request = try #require(node.requests.last)
        for name in ["Cookie", "Accept-Encoding", "Connection", "Content-Length"] {
            #expect(request.header(name) == nil)
        }
        #expect(request.header("Host") == "127.0.0.1:\(node.port)")
        #expect(request.header("User-Agent") == "test/1")
    }

    @Test("over TLS a body without a length is whole only if the server announces the end of the connection")
    func truncated() async throws {
        let answer = "HTTP/1.1 200 OK\r\n\r\nwhole"
        let honest = try world.server(answer: answer, then: .close)
        let client = client(roots: try world.roots())
        #expect(try await client.send(request(honest.port, .get)).body == Array("whole".utf8))
        let cut = try world.server(answer: answer, then: .cut)
        await #expect(throws: HTTPFailure(.closed, mayHaveArrived: true)) {
            try await client.send(request(cut.port, .get))
        }
    }

    @Test("a large answer is read whole")
    func large() async throws {
        let body = String(repeating: "0123456789abcdef", count: 200_000)
        let server = try world.server(answer: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let answer = try await client(roots: try world.roots()).send(request(server.port, .get, limit: 4 << 20))
        #expect(answer.body == Array(body.utf8))
    }

    // MARK: - Connections

    @Test("queries share a connection; each request that must not be repeated has a new one")
    func reuse() async throws {
        let server = try world.server()
        let client = client(try .pinning(to: [.of(world.leaf)]), roots: try world.roots())
        for _ in 0..<3 { _ = try await client.send(request(server.port, .get)) }
        #expect(try server.connections.count == 1)
        for _ in 0..<2 { _ = try await client.send(request(server.port, body: "order")) }
        #expect(try server.connections.count == 3)
    }

    @Test("a query on an idle connection that the server has closed is sent again at once, on a new one")
    func stale() async throws {
        let server = try RecordingServer(then: .close)
        let clock = ImpatientClock()
        let client = try plain(RetryPolicy(), pool: PoolLimits(idleTime: .seconds(600)), sleeping: clock)
        for _ in 0..<3 { #expect(try await client.send(query(server.port)).status == 200) }
        #expect(try server.connections.count == 3)
        #expect(clock.pauses.allSatisfy { $0 == .zero })
    }

    @Test("a connection on which the server has sent something unasked is not used again")
    func unasked() async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        let server = try world.server(answer: ok + "ok" + ok + "no")
        let client = client(roots: try world.roots())
        for _ in 0..<2 { #expect(try await client.send(request(server.port, .get)).body == Array("ok".utf8)) }
        #expect(try server.connections.count == 2)
    }

    @Test("an idle connection on which something comes is not used again")
    func late() async throws {
        let node = try FakeNode { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .repeatWithoutEnd("x")]
        }
        let connector = Connector(
            ClientConfiguration(userAgent: "", roots: try world.roots(), plainHTTP: .loopback),
            pins: LivePins(.none, updatedBy: [], time: PinTime(latest: 0)), now: { TestTime.start })
        let query = try query(node.port)
        let wire = try await connector.connect(to: query.origin)
        #expect(wire.isIdle)
        #expect(await wire.send(query.encoded(userAgent: "")))
        try await Patience.wait(for: "bytes") { wire.hasBytes }
        #expect(!wire.isIdle)
        let pool = ConnectionPool(PoolLimits(), clock: ContinuousClock())
        pool.keep(wire)
        #expect(pool.idleWire(to: query.origin, serial: 0) == nil)
    }

    @Test("an idle connection is closed after its time, and the oldest when there are too many")
    func idle() async throws {
        let server = try RecordingServer()
        let pool = ConnectionPool(PoolLimits(idle: 2, idleTime: .seconds(600)), clock: ContinuousClock())
        let connector = Connector(
            ClientConfiguration(userAgent: "", roots: try world.roots(), plainHTTP: .loopback),
            pins: LivePins(.none, updatedBy: [], time: PinTime(latest: 0)), now: { TestTime.start })
        let origin = try Origin(.http, host: "127.0.0.1", port: server.port).required
        for _ in 0..<3 { pool.keep(try await connector.connect(to: origin)) }
        #expect(pool.idleCount == 2)
        pool.closeIdle()
        #expect(pool.idleCount == 0)
        let short = ConnectionPool(PoolLimits(idleTime: .milliseconds(1)), clock: ContinuousClock())
        short.keep(try await connector.connect(to: origin))
        try await Patience.wait(for: "the end of the connection") { short.idleCount == 0 }
    }

    @Test("requests beyond the limit of an origin wait for a place, and beyond the limit of all")
    func places() async throws {
        let pool = ConnectionPool(PoolLimits(perOrigin: 2, total: 3), clock: ContinuousClock())
        let first = try Origin(host: "a.test").required
        let second = try Origin(host: "b.test").required
        #expect(await pool.takePlace(for: first))
        #expect(await pool.takePlace(for: first))
        let third = Task { await pool.takePlace(for: first) }
        let cancelled = Task { await pool.takePlace(for: first) }
        // Another origin does not wait for this one, but for the total.
        #expect(await pool.takePlace(for: second))
        let fourth = Task { await pool.takePlace(for: second) }
        cancelled.cancel()
        #expect(await !cancelled.value)
        pool.givePlaceBack(of: first)
        pool.givePlaceBack(of: first)
        #expect(await third.value)
        #expect(await fourth.value)
    }

    @Test("a hundred simultaneous queries are all answered, over a bounded number of connections")
    func many() async throws {
        let server = try world.server()
        let client = client(
            try .pinning(to: [.of(world.leaf)]), roots: try world.roots(), pool: PoolLimits(perOrigin: 4))
        let query = try request(server.port, .get)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send(query).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try server.connections.count <= 4)
    }
}
