import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport
@testable import PinnedWebSockets

@Suite("A stream of WebSocket messages", .timeLimit(.minutes(20)))
struct WebSocketStreamTests {
    private let world: WebSocketWorld

    init() throws { world = try WebSocketWorld() }

    @Test("texts and bytes of any length go both ways, each frame with a new mask, and the caller's end is announced")
    func echo() async throws {
        let server = try world.server()
        let client = try world.client(random: SeededRandom(seed: 3))
        let stream = try world.stream(server.port, "/ws?a=b", client: client)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        for text in ["", "ä – 🙂", String(repeating: "x", count: 70_000)] {
            #expect(await stream.send(.text("echo \(text)")) == .sent(connection: 1))
            #expect(try await events.next() == .message(1, .text(text)))
        }
        for size in [0, 1, 125, 126, 65_535, 65_536, 900_000] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            #expect(await stream.send(.binary(bytes)) == .sent(connection: 1))
            #expect(try await events.next() == .message(1, .binary(bytes)))
        }
        await stream.close()
        #expect(try await events.rest() == [.closed(1, .byCaller)])
        #expect(await stream.send(.text("late")) == .notSent(.notConnected))
        let frames = try server.frames
        #expect(frames.count == 11)
        #expect(frames.allSatisfy { $0.masked && $0.final })
        #expect(Set(frames.map(\.mask)).count == 11)
        #expect(frames.last?.opcode == 8)
        #expect(frames.last?.payload == "03e8")
        #expect(
            try server.application.hasPrefix(
                "GET /ws?a=b HTTP/1.1\r\nHost: localhost:\(server.port)\r\nUser-Agent: test/1\r\n"))
    }

    @Test("fragments are one message, a ping between them is answered with its payload, interim answers are skipped")
    func fragments() async throws {
        let server = try world.server()
        // "He", a ping "p" and "llo" come with the answer to the upgrade already.
        let stream = try world.stream(server.port, "/?interim=1&rest=01024865" + "890170" + "80036c6c6f")
        var events = stream.makeAsyncIterator()
        let first: [WebSocketEvent] = [
            .opened(1), .subscribed(1), .message(1, .text("Hello")), .message(1, .text("pong p")),
        ]
        #expect(try await events.next(4) == first)
        #expect(await stream.send(.text("ping 12345")) == .sent(connection: 1))
        #expect(try await events.next() == .message(1, .text("pong 12345")))
    }

    @Test("a server with an unknown key is refused without another attempt, and reads no byte of the upgrade")
    func wrongPin() async throws {
        let server = try world.server([world.world.renewed, world.world.intermediate])
        var events = try world.stream(server.port).makeAsyncIterator()
        let served = try [world.world.renewed, world.world.intermediate, world.world.root].map { try Pin.of($0) }
        await #expect(throws: WebSocketFailure.connection(.notPinned(.unknownKeys(served: served)))) {
            try await events.next()
        }
        try await Patience.wait(for: "the refusal") { try !server.connections.isEmpty }
        #expect(try server.connections == ["refused"])
        #expect(try server.application == "")
    }

    @Test("a stream without TLS is refused, unless the client's configuration allows the host")
    func plain() async throws {
        let server = try world.server([])
        var refused = try world.stream(server.port, host: "127.0.0.1", scheme: .http).makeAsyncIterator()
        await #expect(throws: WebSocketFailure.connection(.notEncrypted)) { try await refused.next() }
        #expect(try server.connections.isEmpty)
        let client = try world.client(plain: .loopback)
        var events = try world.stream(server.port, host: "127.0.0.1", scheme: .http, client: client).makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
    }

    @Test("a stream goes through the client's proxy, which is given the name")
    func proxy() async throws {
        let server = try world.server()
        let proxy = try SOCKSServer(to: server.port)
        let client = try world.client(
            PinPolicy.none, proxy: SOCKSProxy(host: "127.0.0.1", port: proxy.port, authentication: .none).required)
        var events = try world.stream(443, host: "api.example.test", client: client).makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        #expect(try proxy.requests.map(\.host) == ["api.example.test"])
    }

    @Test(
        "an answer that is not that of the protocol ends the stream, without another attempt",
        arguments: [
            ("accept=wrong", .handshake(.accept)), ("upgrade=no", .handshake(.upgrade)),
            ("connection=no", .handshake(.upgrade)), ("extension=permessage-deflate", .handshake(.unrequested)),
            ("protocol=chat", .handshake(.unrequested)), ("garbage=1", .handshake(.notHTTP)),
            ("status=200", .refused(status: 200)), ("status=301", .refused(status: 301)),
            ("status=401", .refused(status: 401)), ("status=418", .refused(status: 418)),
        ] as [(String, WebSocketFailure)])
    func handshake(_ query: String, _ failure: WebSocketFailure) async throws {
        let server = try world.server()
        var events = try world.stream(server.port, "/?\(query)").makeAsyncIterator()
        await #expect(throws: failure) { try await events.next() }
        #expect(try server.connections == ["open"])
        // The error stays.
        await #expect(throws: failure) { try await events.next() }
    }

    @Test(
        "a frame that breaks the rules ends the stream with its error, and the server is told by a code",
        arguments: [
            ("818100000000" + "61", .masked, "03ea"), ("c10161", .reservedBits, "03ea"), ("8300", .opcode, "03ea"),
            ("0900", .controlFrame, "03ea"), ("8000", .fragment, "03ea"), ("827e0001", .length, "03ea"),
            ("827f00000000000f4241", .tooLarge(limit: 1_000_000), "03f1"), ("8101ff", .notUTF8, "03ef"),
            ("880203ed", .closeCode, "03ea"),
        ] as [(String, WebSocketViolation, String)])
    func violation(_ hex: String, _ violation: WebSocketViolation, _ code: String) async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        _ = await stream.send(.text("raw 81026f6b\(hex)"))
        #expect(try await events.next() == .message(1, .text("ok")))
        await #expect(throws: WebSocketFailure.violation(violation)) { try await events.next() }
        try await Patience.wait(for: "the close frame") { try server.frames.last?.opcode == 8 }
        #expect(try server.frames.last?.payload == code)
        #expect(try server.connections == ["open"])
    }

    @Test("the outcome of sending says which connection, or that nothing left, or that it is not known")
    func sending() async throws {
        let server = try world.server()
        let door = Door()
        let stream = try world.stream(server.port, policy: WebSocketWorld.policy(messageBytes: 64 << 20)) { _ in
            try await door.pass()
        }
        var events = stream.makeAsyncIterator()
        #expect(try await events.next() == .opened(1))
        #expect(await stream.send(.text("early")) == .notSent(.notConnected))
        door.open()
        #expect(try await events.next() == .subscribed(1))
        #expect(await stream.send(.text("forget")) == .sent(connection: 1))
        #expect(await stream.send(.binary(Array(repeating: 0, count: (64 << 20) + 1))) == .notSent(.tooLarge))
        #expect(await stream.send(.text("mute")) == .sent(connection: 1))
        // More than the system's buffers take while the server reads nothing.
        let large = Task {
            var sending = WebSocketSending.notSent(.congested)
            // While a text is on its way, the large message is refused.
            while sending == .notSent(.congested) {
                sending = await stream.send(.binary(Array(repeating: 0, count: 64 << 20)))
            }
            return sending
        }
        try await Patience.wait(for: "the full connection") { await stream.send(.text("x")) == .notSent(.congested) }
        try await world.clock.end(WebSocketWorld.Time.ping)
        try await world.clock.end(WebSocketWorld.Time.pong)
        #expect(await large.value == .unknown(connection: 1))
        #expect(try await events.next() == .closed(1, .noPong))
    }

    @Test("the end does not wait for a server that does not answer longer than the policy says")
    func muteEnd() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        _ = await stream.send(.text("mute"))
        let closing = Task { await stream.close() }
        try await world.clock.end(WebSocketWorld.Time.close)
        await closing.value
        #expect(try await events.rest() == [.closed(1, .byCaller)])
    }

    @Test("the messages that the server sends before it answers the end are delivered")
    func lastMessages() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        _ = await stream.send(.text("flood 50 1000"))
        await stream.close()
        let rest = try await events.rest()
        #expect(rest.count == 51)
        #expect(rest.last == .closed(1, .byCaller))
    }

    @Test("a stream ends with its value: its connection is closed")
    func dropped() async throws {
        let server = try world.server()
        do {
            var events = try world.stream(server.port).makeAsyncIterator()
            #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
            #expect(try server.ended.isEmpty)
        }
        try await Patience.wait(for: "the end") { try server.ended == [1] }
    }

    @Test("a reading task that is cancelled ends its wait")
    func cancelled() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        let reading = Task {
            var events = stream.makeAsyncIterator()
            _ = try await events.rest()
        }
        reading.cancel()
        await #expect(throws: WebSocketFailure.cancelled) { try await reading.value }
        await stream.close()
    }
}
