import Synchronization
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport
@testable import PinnedWebSockets

@Suite("A stream replaces its connection", .timeLimit(.minutes(20)))
struct WebSocketReplacementTests {
    private typealias Time = WebSocketWorld.Time
    private let world: WebSocketWorld
    private var clock: StagedClock { world.clock }

    init() throws { world = try WebSocketWorld() }

    private func gap(_ number: Int, _ reason: WebSocketEnd) -> WebSocketEvent {
        .gap(WebSocketGap(after: number, reason: reason, since: TestTime.start))
    }

    @Test("make before break: no message is lost, and there is no gap (binance-connector-python#442)")
    func noLoss() async throws {
        let server = try world.server(tick: 1)
        let stream = try world.stream(server.port, subscribe: WebSocketWorld.ticks)
        var events = stream.makeAsyncIterator()
        var ticks: Set<Int> = []
        var log: [WebSocketEvent] = []
        /// Reads until an event, keeps the ticks, and logs everything else.
        func read(until isLast: (WebSocketEvent) -> Bool) async throws {
            while let event = try await events.next() {
                if case .message(_, .text(let text)) = event, let tick = Int(text) {
                    ticks.insert(tick)
                } else {
                    log.append(event)
                }
                if isLast(event) { return }
            }
        }
        for number in 1...3 {
            try await read { if case .message(number, .text(let text)) = $0 { Int(text) != nil } else { false } }
            #expect(stream.replace() == .begun)
            #expect(stream.replace() == .unfinished)
            try await read { $0 == .closed(number, .replaced) }
            #expect(await stream.send(.text("echo x")) == .sent(connection: number + 1))
            try await read { $0 == .message(number + 1, .text("x")) }
        }
        let sorted = ticks.sorted()
        let (first, last) = (try sorted.first.required, try sorted.last.required)
        #expect(sorted == Array(first...last))
        #expect(ticks.count > 3)
        #expect(!log.contains { if case .gap = $0 { true } else { false } })
        // Nothing of the new connection's own was read before it was known that both overlap; and each old one was
        // closed properly.
        for number in 2...4 {
            let opened = try log.firstIndex(of: .opened(number)).required
            #expect(opened < (try log.firstIndex(of: .subscribed(number)).required))
        }
        #expect(try server.frames.filter { $0.opcode == 8 }.map(\.connection) == [1, 2, 3])
        await stream.close()
    }

    @Test("a gap says so if the old connection ends before the new one is subscribed")
    func tooLate() async throws {
        let server = try world.server()
        let door = Door()
        let stream = try world.stream(server.port) { if $0.number == 2 { try await door.pass() } }
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        #expect(stream.replace() == .begun)
        #expect(try await events.next() == .opened(2))
        // Until the new connection is subscribed, messages go to the old one.
        #expect(await stream.send(.text("cut")) == .sent(connection: 1))
        #expect(try await events.next(2) == [.closed(1, .cut), gap(1, .cut)])
        #expect(await stream.send(.text("echo a")) == .notSent(.notConnected))
        #expect(stream.replace() == .notConnected)
        door.open()
        #expect(try await events.next() == .subscribed(2))
        #expect(await stream.send(.text("echo a")) == .sent(connection: 2))
        #expect(try await events.next() == .message(2, .text("a")))
        #expect(try server.connections.count == 2)
    }

    @Test("a gap says so if the server gave up the old connection while the new one was subscribed")
    func leftEarlier() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        _ = await stream.send(.text("leave 1001"))
        #expect(stream.replace() == .begun)
        let end = WebSocketEnd.byServer(code: 1001)
        #expect(try await events.next(4) == [.opened(2), .closed(1, end), gap(1, end), .subscribed(2)])
    }

    @Test("an old connection whose server shows nothing in time is left, with a gap")
    func mute() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        _ = await stream.send(.text("mute"))
        #expect(stream.replace() == .begun)
        #expect(try await events.next() == .opened(2))
        try await clock.end(Time.close)
        #expect(try await events.next(3) == [.closed(1, .noPong), gap(1, .noPong), .subscribed(2)])
        #expect(await stream.send(.text("echo a")) == .sent(connection: 2))
        #expect(try await events.next() == .message(2, .text("a")))
    }

    @Test("a replacement connection whose pin is refused is reported, and the old connection continues without a gap")
    func refusedPin() async throws {
        let server = try world.server()
        let signer = try PolicySigner()
        let pins = LivePins(
            try .pinning(to: [.of(world.world.leaf)]), updatedBy: [signer.key], time: PinTime(latest: TestTime.start))
        let stream = try world.stream(server.port, client: world.client(pins: pins))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        try pins.update(
            signer.sign(
                """
                {"format":1,"serial":2,"unpinned":"allow","hosts":[{"host":"localhost",
                "pins":["\(try Pin.invented(1))"],"backups":["\(try Pin.invented(2))"]}]}
                """))
        #expect(stream.replace() == .begun)
        let served = try (world.world.chain + [world.world.root]).map { try Pin.of($0) }
        let failure = WebSocketFailure.connection(.notPinned(.unknownKeys(served: served)))
        #expect(try await events.next() == .replacementFailed(failure))
        #expect(await stream.send(.text("echo a")) == .sent(connection: 1))
        #expect(try await events.next() == .message(1, .text("a")))
        #expect(try server.application.split(separator: "GET /").count == 1)
        // When the old one ends, too, there is no other, and no further attempt.
        _ = await stream.send(.text("cut"))
        #expect(try await events.next(2) == [.closed(1, .cut), gap(1, .cut)])
        try await clock.end(Time.pauses[0])
        await #expect(throws: failure) { try await events.next() }
    }

    @Test("a replacement whose subscription fails ends itself, and the old connection goes on without a gap")
    func refusedSubscription() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port) { if $0.number == 2 { throw Missing() } }
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        #expect(stream.replace() == .begun)
        #expect(
            try await events.next(3) == [
                .opened(2), .closed(2, .notSubscribed), .replacementFailed(.subscriptionFailed),
            ])
        #expect(await stream.send(.text("echo a")) == .sent(connection: 1))
        #expect(try await events.next() == .message(1, .text("a")))
        // And may be tried again.
        #expect(stream.replace() == .begun)
        #expect(try await events.next(2) == [.opened(3), .subscribed(3)])
        #expect(try await events.next() == .closed(1, .replaced))
    }

    @Test("the end during a replacement closes both connections")
    func end() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port) { if $0.number == 2 { _ = try await $0.next() } }
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        #expect(stream.replace() == .begun)
        #expect(try await events.next() == .opened(2))
        await stream.close()
        let rest = try await events.rest()
        #expect(rest.count == 2)
        #expect(rest.contains(.closed(1, .byCaller)) && rest.contains(.closed(2, .byCaller)))
        try await Patience.wait(for: "the ends") { try server.ended.sorted() == [1, 2] }
    }
}

@Suite("A stream whose reader is slow", .timeLimit(.minutes(20)))
struct WebSocketReaderTests {
    private typealias Time = WebSocketWorld.Time
    private let world: WebSocketWorld
    private var clock: StagedClock { world.clock }

    init() throws { world = try WebSocketWorld() }

    @Test("a reader that takes nothing ends the stream in time, after the events that were kept: a bounded number")
    func stalled() async throws {
        let server = try world.server()
        let policy = WebSocketWorld.policy(events: 10)
        let stream = try world.stream(server.port, policy: policy) { try await $0.send(.text("flood 5000 10000")) }
        try await clock.end(Time.reader)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        let kept = try await events.next(8)
        #expect(kept.count == 8)
        await #expect(throws: WebSocketFailure.readerTooSlow) { try await events.next() }
        try await Patience.wait(for: "the end of the connection") { try server.ended == [1] }
    }

    @Test("the buffer is bounded by the size of the messages, too")
    func size() async throws {
        let server = try world.server()
        let policy = WebSocketWorld.policy(bytes: 25_000)
        let stream = try world.stream(server.port, policy: policy) { try await $0.send(.text("flood 5000 10000")) }
        try await clock.end(Time.reader)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(4).count == 4)
        await #expect(throws: WebSocketFailure.readerTooSlow) { try await events.next() }
    }

    @Test("a slow reader gets every message: the server waits, and the heartbeat does not judge meanwhile")
    func slow() async throws {
        let server = try world.server()
        let policy = WebSocketWorld.policy(silence: Time.silence, events: 10)
        let stream = try world.stream(server.port, policy: policy) { try await $0.send(.text("flood 3000 10000")) }
        // Once the reader is waited for, pongs and messages are not read.
        try await Patience.wait(for: "the full buffer") { clock.count(Time.reader) == 1 }
        try await clock.end(Time.ping)
        try await clock.end(Time.pong)
        for _ in 0..<6 { try await clock.end(Time.look) }
        try await Patience.wait(for: "another time") { clock.count(Time.pong) == 1 }
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        for index in 0..<3000 {
            guard case .message(1, .text(let text))? = try await events.next() else { throw Missing() }
            #expect(text.hasPrefix("\(index).") && text.utf8.count == 10_000)
        }
        // The server's pongs have come now.
        _ = await stream.send(.text("echo a"))
        #expect(try await events.next() == .message(1, .text("a")))
        try await clock.end(Time.pong)
        try await Patience.wait(for: "the next ping") { clock.count(Time.ping) == 1 }
    }

    @Test("a server that sends pings and reads nothing fills no memory: its pings wait")
    func pings() async throws {
        let server = try world.server()
        let stream = try world.stream(server.port)
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2) == [.opened(1), .subscribed(1)])
        let pings = (0..<1_000).map { _ in "897d" + String(repeating: "61", count: 125) }.joined()
        _ = await stream.send(.text("raw \(pings)"))
        for _ in 0..<1_000 {
            #expect(try await events.next() == .message(1, .text("pong " + String(repeating: "a", count: 125))))
        }
    }

    @Test("the end does not wait for a reader that takes nothing longer than the policy says")
    func end() async throws {
        let server = try world.server()
        let policy = WebSocketWorld.policy(events: 3)
        let stream = try world.stream(server.port, policy: policy) { try await $0.send(.text("flood 5000 10000")) }
        try await Patience.wait(for: "the full buffer") { clock.count(Time.reader) == 1 }
        let closing = Task { await stream.close() }
        try await clock.end(Time.close)
        await closing.value
        var events = stream.makeAsyncIterator()
        #expect(try await events.rest().count == 3)
    }
}
