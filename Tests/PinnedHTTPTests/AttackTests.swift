import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("Attacks on connections", .timeLimit(.minutes(20)))
struct AttackTests {
    private let world: TestWorld

    init() throws { world = try TestWorld.shared.get() }

    private func connector(plain: ClientConfiguration.PlainHTTP = .loopback) throws -> Connector {
        Connector(
            ClientConfiguration(userAgent: "", roots: try world.roots(), plainHTTP: plain),
            pins: LivePins(.none, updatedBy: [], time: PinTime(latest: 0)), now: { TestTime.start })
    }

    private func plainOrigin(_ port: UInt16) throws -> Origin {
        try Origin(.http, host: "127.0.0.1", port: port).required
    }

    // MARK: - Before TLS

    @Test("bytes that come before TLS begins are not read as an answer: the connection is refused")
    func injection() async throws {
        let server = try world.server()
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        let attacker = try EarlyServer(sending: forged, thenTo: server.port)
        let connector = try connector()
        let inbox = Inbox()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(inbox) }
            }
            .connect(host: "127.0.0.1", port: Int(attacker.port)).get()
        // The attacker is faster than the client.
        try await Patience.wait(for: "the forged answer") { inbox.hasBytes }
        let origin = try Origin(host: "localhost", port: attacker.port).required
        await #expect(throws: HTTPFailure(.untrusted(.handshake), mayHaveArrived: false)) {
            _ = try await connector.secure(channel, inbox, origin, nil, .unpinned, .policy)
        }
        try? await channel.close()
    }

    @Test("an attacker who sends an answer before TLS begins never gets it to the caller, whoever is faster")
    func injectionRace() async throws {
        let server = try world.server()
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        let attacker = try EarlyServer(sending: forged, thenTo: server.port)
        let client = client(try .pinning(to: [.of(world.leaf)]), roots: try world.roots())
        for _ in 0..<20 {
            let answer = try? await client.send(request(attacker.port, body: "order"))
            #expect(answer?.body != Array("forged".utf8))
        }
    }

    // MARK: - Connections that are used again

    @Test("an idle connection is not used after its pins have expired")
    func expiredWhileIdle() async throws {
        let server = try world.server()
        let clock = DeviceClock()
        let policy = try PinPolicy.pinning(to: [.of(world.leaf)], expires: TestTime.start + 10)
        let client = client(policy, roots: try world.roots(), clock: clock)
        #expect(try await client.send(request(server.port, .get)).status == 200)
        clock.set(TestTime.start + 10)
        await #expect(throws: HTTPFailure(.notPinned(.pinsExpired), mayHaveArrived: false)) {
            try await client.send(request(server.port, .get))
        }
    }

    @Test("a connection without a pinned key, made after the expiry, is not used when the clock is set back")
    func lapsedWhileIdle() async throws {
        let server = try world.server([world.renewed, world.intermediate])
        let clock = DeviceClock(TestTime.start + TestTime.day)
        let policy = try PinPolicy.pinning(
            to: [.of(world.leaf)], expires: TestTime.start + TestTime.day, after: .connect)
        let client = client(policy, roots: try world.roots(), clock: clock)
        #expect(try await client.send(request(server.port, .get)).status == 200)
        clock.set(TestTime.start)
        let served = try [world.renewed, world.intermediate, world.root].map { try Pin.of($0) }
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await client.send(request(server.port, .get))
        }
    }

    @Test("a connection whose server has not read the whole request is not used again")
    func unsent() async throws {
        let server = try EarlyServer(answer: "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", after: 10)
        let origin = try plainOrigin(server.port)
        let wire = try await connector().connect(to: origin)
        let large = try HTTPRequest(.post, "/", at: origin, body: Array(repeating: 0x61, count: 30 << 20)).required
        let exchange = HTTPExchange(request: large, bytes: large.encoded(userAgent: ""))
        guard case .answered(let answer, _) = await exchange.run(on: wire, HTTPExchange.Departure()) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.status == 413)
        #expect(!wire.isIdle)
    }

    @Test("an answer that comes before its request is refused, and the request does not leave")
    func beforeRequest() async throws {
        let server = try EarlyServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", after: 0)
        let origin = try plainOrigin(server.port)
        let wire = try await connector().connect(to: origin)
        try await Patience.wait(for: "the answer") { wire.hasBytes }
        let request = try HTTPRequest(.get, "/", at: origin).required
        let exchange = HTTPExchange(request: request, bytes: request.encoded(userAgent: ""))
        let departure = HTTPExchange.Departure()
        guard case .failed(.closed) = await exchange.run(on: wire, departure) else {
            Issue.record("an answer without a request")
            return
        }
        #expect(!departure.hasHappened)
    }

    // MARK: - Cancelled tasks

    /// Runs an operation in a task that was cancelled before.
    private func cancelled<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await operation()
        }
        task.cancel()
        return await task.value
    }

    @Test("a task that is cancelled before its request leaves sends nothing")
    func cancelledBefore() async throws {
        let server = try RecordingServer()
        let order = try request(server.port, host: "127.0.0.1", scheme: .http, body: "order")
        let wire = try await connector().connect(to: order.origin)
        let exchange = HTTPExchange(request: order, bytes: order.encoded(userAgent: ""))
        let departure = HTTPExchange.Departure()
        let outcome = await cancelled { await exchange.run(on: wire, departure) }
        guard case .failed(.cancelled) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!departure.hasHappened)
        wire.close()
        try await Patience.wait(for: "the connection") { try !server.connections.isEmpty }
        #expect(try server.application == "")
    }

    @Test("a cancelled reader ends, although a server never stops to write")
    func cancelledReader() async throws {
        let node = try FakeNode { _ in [.repeatWithoutEnd(String(repeating: "x", count: 10_000))] }
        let request = try request(node.port, host: "127.0.0.1", scheme: .http, .get)
        let wire = try await connector().connect(to: request.origin)
        #expect(await wire.send(request.encoded(userAgent: "")))
        try await Patience.wait(for: "bytes") { wire.hasBytes }
        let received = await cancelled { await wire.receive() }
        guard case .end(.abandoned) = received else {
            Issue.record("the reader goes on")
            return
        }
    }

    @Test("tasks that are cancelled at any moment leave no place taken and no caller waiting")
    func cancelledAnywhere() async throws {
        let server = try world.server()
        let client = client(
            try .pinning(to: [.of(world.leaf)]), roots: try world.roots(), pool: PoolLimits(perOrigin: 2, total: 3))
        let requests = try [request(server.port, .get), request(server.port, body: "order")]
        await withTaskGroup { group in
            for index in 0..<300 {
                group.addTask {
                    let task = Task { try await client.send(requests[index % 2]) }
                    for _ in 0..<(index * index % 400) { await Task.yield() }
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        // Each place is still there: otherwise these would wait for ever.
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 { group.addTask { try await client.send(requests[0]).status } }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test("several readers of one connection wait without a processor, and all get the end")
    func readers() async throws {
        let server = try RecordingServer()
        let wire = try await connector().connect(to: plainOrigin(server.port))
        // More than there are threads: readers that do not really wait would keep all of them.
        let readers = (0..<64).map { _ in Task { await wire.receive() } }
        for _ in 0..<1_000 { await Task.yield() }
        wire.close()
        for reader in readers {
            guard case .end = await reader.value else {
                Issue.record("bytes")
                return
            }
        }
    }

    // MARK: - Whether the request may have arrived

    @Test("a query that left once may have arrived, although its last attempt made no connection")
    func arrivedEarlier() async throws {
        let signer = try PolicySigner()
        let pins = LivePins(.none, updatedBy: [signer.key], time: PinTime(latest: TestTime.start))
        let update = try signer.sign(
            """
            {"format":1,"serial":2,"unpinned":"allow","hosts":[{"host":"127.0.0.1",
            "pins":["\(try Pin.invented(1))"],"backups":["\(try Pin.invented(2))"]}]}
            """)
        // From the second attempt on the host has pins: it is not reached without TLS.
        let node = try FakeNode { _ in
            try? pins.update(update)
            return []
        }
        let client = PinnedClient(
            ClientConfiguration(
                userAgent: "", roots: try world.roots(), plainHTTP: .loopback,
                connectTimeout: .seconds(Patience.seconds)),
            pins: pins, now: { TestTime.start }, clock: ImpatientClock())
        let query = try request(node.port, host: "127.0.0.1", scheme: .http, .get)
        await #expect(throws: HTTPFailure(.notEncrypted, mayHaveArrived: true)) { try await client.send(query) }
        #expect(node.requests.count == 1)
    }

    // MARK: - Other

    @Test("HTTP without TLS to this machine is refused through a proxy, whose machine may be another one")
    func loopbackBehindProxy() async throws {
        let server = try RecordingServer()
        let socks = try SOCKSServer(to: server.port)
        let proxy = try SOCKSProxy(host: "127.0.0.1", port: socks.port, authentication: .none).required
        let client = client(roots: try world.roots(), proxy: proxy, plain: .loopback)
        await #expect(throws: HTTPFailure(.notEncrypted, mayHaveArrived: false)) {
            try await client.send(request(80, host: "localhost", scheme: .http))
        }
        #expect(try socks.requests.isEmpty)
        let named = PinnedHTTPTestSupport.client(roots: try world.roots(), proxy: proxy, plain: .hosts(["localhost"]))
        #expect(try await named.send(request(80, host: "localhost", scheme: .http)).status == 200)
    }
}
