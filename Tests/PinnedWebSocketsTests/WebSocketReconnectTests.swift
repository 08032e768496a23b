import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport
@testable import PinnedWebSockets

@Suite("A stream connects again", .timeLimit(.minutes(20)))
struct WebSocketReconnectTests {
    private typealias Time = WebSocketWorld.Time
    private let world: WebSocketWorld
    private var clock: StagedClock { world.clock }

    init() throws { world = try WebSocketWorld() }

    private func gap(_ number: Int, _ reason: WebSocketEnd, since: UInt64 = TestTime.start) -> WebSocketEvent {
        .gap(WebSocketGap(after: number, reason: reason, since: since))
    }

    @Test(
        "every end of a connection is told with its reason, and then the gap (unicorn-binance-websocket-api#42)",
        arguments: [
            ("close 1001", .byServer(code: 1001)), ("close 4000", .byServer(code: 4000)),
            ("close", .byServer(code: nil)),
            ("closing 1012", .byServer(code: 1012)), ("end", .cut), ("cut", .cut),
        ] as [(String, WebSocketEnd)])
    func ends(_ command: String, _ reason: WebSocketEnd) async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        _ = await stream.send(.text("echo a"))
        #expect(try await events.next() == .message(1, .text("a")))
        _ = await stream.send(.text(command))
        #expect(try await events.next(2) == [.closed(1, reason), gap(1, reason)])
        #expect(await stream.send(.text("echo lost")) == .notSent(.notConnected))
        try await clock.end(Time.pauses[0])
        #expect(try await events.next(2) == [.opened(2), .subscribed(2)])
        #expect(await stream.send(.text("echo b")) == .sent(connection: 2))
        #expect(try await events.next() == .message(2, .text("b")))
        await stream.close()
        #expect(try await events.rest() == [.closed(2, .byCaller)])
        if command.hasPrefix("close ") {
            // The server's code comes back (RFC 6455, section 5.5.1).
            #expect(try server.frames.first { $0.connection == 1 && $0.opcode == 8 }?.payload.isEmpty == false)
        }
    }

    @Test("a gap begins when all that had come was read, not when the end was noticed")
    func since() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        world.device.set(TestTime.start + 7)
        _ = await stream.send(.text("echo a"))
        #expect(try await events.next() == .message(1, .text("a")))
        // The message came at 7; then nothing came, and the end is noticed at 500.
        _ = await stream.send(.text("mute"))
        try await clock.end(Time.ping)
        world.device.set(TestTime.start + 500)
        try await clock.end(Time.pong)
        #expect(try await events.next(2) == [.closed(1, .noPong), gap(1, .noPong, since: TestTime.start + 7)])
    }

    @Test("there is one gap, however many attempts fail, and their pauses double at most")
    func oneGap() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port, "/?status=503&first=4")
        var events = stream.makeAsyncIterator()
        for pause in Time.pauses.prefix(4) {
            #expect(try await events.next() == .attemptFailed(.refused(status: 503), next: pause))
            try await clock.end(pause)
        }
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        #expect(try server.connections.count == 5)
    }

    @Test("pauses are random between nothing and the bound (full jitter)")
    func jitter() async throws {
        let server = try world.server()
        let client = try world.client(random: SeededRandom(seed: 11))
        var events = try world.stream(server.port, "/?status=503", client: client).makeAsyncIterator()
        var shares: [Double] = []
        for bound in Time.pauses {
            guard case .attemptFailed(_, let pause)? = try await events.next() else { throw Missing() }
            #expect(.zero <= pause && pause <= bound)
            shares.append(pause / bound)
            try await clock.end(pause)
        }
        #expect(Set(shares).count == shares.count)
    }

    @Test("the time that the server asks for is added to the pause; a time that is too long ends the stream")
    func retryAfter() async throws {
        let server = try world.server()
        var events = try world.stream(server.port, "/?status=429&retry=3&first=1").makeAsyncIterator()
        #expect(try await events.next() == .attemptFailed(.refused(status: 429), next: .seconds(3) + Time.pauses[0]))
        try await clock.end(.seconds(3) + Time.pauses[0])
        #expect(try await events.next() == .opened(1))
        var refused = try world.stream(server.port, "/?status=429&retry=3600").makeAsyncIterator()
        await #expect(throws: WebSocketFailure.refused(status: 429)) { try await refused.next() }
    }

    @Test("failures are forgotten only after a connection has worked for a while and brought a message")
    func useful() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        // Connections that end at once: the pauses grow although each connection was made.
        for (index, pause) in Time.pauses.prefix(3).enumerated() {
            #expect(try await events.next(2) == [.opened(index + 1), .subscribed(index + 1)])
            #expect(await stream.send(.text("cut")) == .sent(connection: index + 1))
            #expect(try await events.next(2) == [.closed(index + 1, .cut), gap(index + 1, .cut)])
            try await clock.end(pause)
        }
        // A connection that has only grown old is not useful.
        #expect(try await events.next(2) == [.opened(4), .subscribed(4)])
        try await clock.end(Time.useful)
        _ = await stream.send(.text("cut"))
        #expect(try await events.next(2) == [.closed(4, .cut), gap(4, .cut)])
        try await clock.end(Time.pauses[3])
        // One that has also brought a message is.
        #expect(try await events.next(2) == [.opened(5), .subscribed(5)])
        #expect(await stream.send(.text("echo a")) == .sent(connection: 5))
        #expect(try await events.next() == .message(5, .text("a")))
        try await clock.end(Time.useful)
        try await Patience.wait(for: "the connection's age") { stream.runner.isUseful }
        _ = await stream.send(.text("cut"))
        #expect(try await events.next(2) == [.closed(5, .cut), gap(5, .cut)])
        try await clock.end(Time.pauses[0])
        #expect(try await events.next(2) == [.opened(6), .subscribed(6)])
    }

    @Test("a stream ends after as many failures in a row as allowed")
    func attempts() async throws {
        let server = try world.server()
        let policy = WebSocketWorld.policy(attempts: 2)
        var events = try world.stream(server.port, "/?status=503", policy: policy).makeAsyncIterator()
        #expect(try await events.next() == .attemptFailed(.refused(status: 503), next: Time.pauses[0]))
        try await clock.end(Time.pauses[0])
        await #expect(throws: WebSocketFailure.refused(status: 503)) { try await events.next() }
        let single = try world.stream(server.port, policy: WebSocketWorld.policy(attempts: 1))
        var lone = single.makeAsyncIterator()
        #expect(try await lone.next(2) == [.opened(1), .subscribed(1)])
        #expect(await single.send(.text("cut")) == .sent(connection: 1))
        #expect(try await lone.next(2) == [.closed(1, .cut), gap(1, .cut)])
        await #expect(throws: WebSocketFailure.lost(.cut)) { try await lone.next() }
    }

    @Test(
        "a server that does not answer a ping in time is left: a half-open connection", arguments: ["nopong", "mute"])
    func noPong(_ command: String) async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        // Answered pings.
        for _ in 0..<3 {
            try await clock.end(Time.ping)
            try await Patience.wait(for: "the ping") { clock.count(Time.pong) == 1 }
            _ = await stream.send(.text("echo a"))
            #expect(try await events.next() == .message(1, .text("a")))
            try await clock.end(Time.pong)
        }
        _ = await stream.send(.text(command))
        try await clock.end(Time.ping)
        try await clock.end(Time.pong)
        #expect(try await events.next(2) == [.closed(1, .noPong), gap(1, .noPong)])
        try await clock.end(Time.pauses[0])
        #expect(try await events.next(2) == [.opened(2), .subscribed(2)])
    }

    @Test("a stream that is silently dead, whose server still answers pings, is left (node-binance-api#86)")
    func silent() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port, policy: WebSocketWorld.policy(silence: Time.silence))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        // A message in time begins a new time.
        for _ in 0..<3 { try await clock.end(Time.look) }
        _ = await stream.send(.text("echo a"))
        #expect(try await events.next() == .message(1, .text("a")))
        for _ in 0..<4 { try await clock.end(Time.look) }
        try await clock.end(Time.ping)
        // The server answers a ping when it has read it: before the last look, which ends the connection.
        try await Patience.wait(for: "the ping at the server") { try server.frames.contains { $0.opcode == 9 } }
        try await clock.end(Time.look)
        #expect(try await events.next(2) == [.closed(1, .silent), gap(1, .silent)])
        try await clock.end(Time.pauses[0])
        #expect(try await events.next(2) == [.opened(2), .subscribed(2)])
    }

    @Test("each connection is subscribed again, and the messages that the subscription reads are events")
    func subscription() async throws {
        let server = try world.server(tick: 2)
        let stream = try world.stream(server.port, subscribe: WebSocketWorld.ticks)
        var events = stream.makeAsyncIterator()
        for number in 1...2 {
            #expect(try await events.next() == .opened(number))
            var before: [WebSocketEvent] = []
            while let event = try await events.next(), event != .subscribed(number) { before.append(event) }
            #expect(before.contains(.message(number, .text("subscribed"))))
            guard case .message(number, .text(let tick))? = try await events.next() else { throw Missing() }
            #expect(Int(tick) != nil)
            #expect(await stream.send(.text("cut")) == .sent(connection: number))
            while let event = try await events.next(), event != .closed(number, .cut) {}
            guard case .gap(let gap)? = try await events.next() else { throw Missing() }
            #expect(gap.after == number)
            try await clock.end(Time.pauses[number - 1])
        }
        #expect(try await events.next() == .opened(3))
    }

    @Test("a stream does not outlive its pins: after a new policy its connection ends, the next one has the new pins")
    func policyUpdate() async throws {
        let server = try world.server()
        let signer = try PolicySigner()
        let pins = LivePins(
            try .pinning(to: [.of(world.world.leaf)]), updatedBy: [signer.key], time: PinTime(latest: TestTime.start))
        var events = try world.stream(server.port, client: world.client(pins: pins)).makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        try pins.update(
            signer.sign(
                """
                {"format":1,"serial":2,"unpinned":"allow","hosts":[{"host":"localhost",
                "pins":["\(try Pin.invented(1))"],"backups":["\(try Pin.invented(2))"]}]}
                """))
        try await clock.end(Time.ping)
        #expect(try await events.next(2) == [.closed(1, .policyChanged), gap(1, .policyChanged)])
        try await clock.end(Time.pauses[0])
        let served = try (world.world.chain + [world.world.root]).map { try Pin.of($0) }
        await #expect(throws: WebSocketFailure.connection(.notPinned(.unknownKeys(served: served)))) {
            _ = try await events.rest()
        }
    }

    @Test("a stream ends when its pins expire")
    func pinExpiry() async throws {
        let server = try world.server()
        let policy = try PinPolicy.pinning(to: [.of(world.world.leaf)], expires: TestTime.start + 10)
        var events = try world.stream(server.port, client: world.client(policy)).makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        world.device.set(TestTime.start + 10)
        try await clock.end(Time.ping)
        #expect(try await events.next() == .closed(1, .policyChanged))
        _ = try await events.next()
        try await clock.end(Time.pauses[0])
        await #expect(throws: WebSocketFailure.connection(.notPinned(.pinsExpired))) { _ = try await events.rest() }
    }

    @Test("a subscription that a server does not read ends in time")
    func unreadSubscription() async throws {
        let server = try world.server()
        let policy = WebSocketWorld.policy(attempts: 1)
        var events = try world.stream(server.port, policy: policy) { opening in
            try await opening.send(.text("mute"))
            // More than the system takes.
            for _ in 0..<40 { try await opening.send(.binary(Array(repeating: 0, count: 900_000))) }
        }.makeAsyncIterator()
        #expect(try await events.next() == .opened(1))
        try await clock.end(Time.subscribe)
        #expect(try await events.next() == .closed(1, .notSubscribed))
        await #expect(throws: WebSocketFailure.subscriptionTimedOut) { _ = try await events.rest() }
    }

    @Test("a subscription that fails by the caller's own error ends the stream; one that takes too long does not")
    func failedSubscription() async throws {
        let server = try world.server()
        var refused = try world.stream(server.port) { _ in throw Missing() }.makeAsyncIterator()
        #expect(try await refused.next(2) == [.opened(1), .closed(1, .notSubscribed)])
        await #expect(throws: WebSocketFailure.subscriptionFailed) { try await refused.next() }

        var slow = try world.stream(server.port) { _ = try await $0.next() }.makeAsyncIterator()
        #expect(try await slow.next() == .opened(1))
        try await clock.end(Time.subscribe)
        #expect(try await slow.next(2) == [.closed(1, .notSubscribed), gap(1, .notSubscribed)])
        #expect(try await slow.next() == .attemptFailed(.subscriptionTimedOut, next: Time.pauses[0]))
        try await clock.end(Time.pauses[0])
        #expect(try await slow.next() == .opened(2))
    }

    @Test("a connection that is lost while it is subscribed has its reason, and a gap")
    func lostSubscription() async throws {
        let server = try world.server()
        var events = try world.stream(server.port) { opening in
            guard opening.number == 1 else { return }
            try await opening.send(.text("close 1013"))
            _ = try await opening.next()
        }.makeAsyncIterator()
        let end = WebSocketEnd.byServer(code: 1013)
        #expect(try await events.next(3) == [.opened(1), .closed(1, end), gap(1, end)])
        #expect(try await events.next() == .attemptFailed(.lost(end), next: Time.pauses[0]))
        try await clock.end(Time.pauses[0])
        #expect(try await events.next(2) == [.opened(2), .subscribed(2)])
    }

    @Test("the end while a stream waits to connect again is immediate")
    func endInPause() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port, "/?status=503")
        var events = stream.makeAsyncIterator()
        #expect(try await events.next() == .attemptFailed(.refused(status: 503), next: Time.pauses[0]))
        await stream.close()
        #expect(try await events.next() == nil)
        #expect(try server.connections.count == 1)
    }
}
