import Secrets
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("The repetition of requests", .timeLimit(.minutes(20)))
struct RetryTests {
    private let clock = ImpatientClock()

    /// A source whose every byte is the same.
    private struct Constant: RandomSource {
        let byte: UInt8
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { for index in buffer.indices { buffer[index] = byte } }
    }

    private func client(_ policy: RetryPolicy = RetryPolicy(), random: UInt8 = 0xFF) throws -> PinnedClient {
        PinnedHTTPTestSupport.client(
            roots: try TestWorld.shared.get().roots(), plain: .loopback, retries: policy,
            pool: PoolLimits(idleTime: .seconds(600)), sleeping: clock, random: Constant(byte: random))
    }

    private func query(_ server: ScriptedServer, limit: Int = 100) throws -> HTTPRequest {
        try request(server.port, host: "127.0.0.1", scheme: .http, .get, limit: limit)
    }

    @Test("a query is sent again after a connection that ended, with pauses that double at most")
    func repeated() async throws {
        let server = try ScriptedServer([[], [], FakeNode.http("third")])
        #expect(try await client().send(query(server)).body == Array("third".utf8))
        #expect(server.count == 3)
        #expect(clock.pauses == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("a query is sent a limited number of times; the last error is returned")
    func bounded() async throws {
        let server = try ScriptedServer([[], [], [], FakeNode.http("fourth")])
        await #expect(throws: HTTPFailure(.closed, mayHaveArrived: true)) { try await client().send(query(server)) }
        #expect(server.count == 3)
        #expect(clock.pauses.count == 2)
    }

    @Test("a request that must not be repeated is sent once, whatever happens")
    func never() async throws {
        for answers in [[], FakeNode.http("", status: "503 Service Unavailable", headers: ["Retry-After: 1"])] {
            let server = try ScriptedServer([answers, FakeNode.http("second")])
            let order = try request(server.port, host: "127.0.0.1", scheme: .http, body: "order")
            let outcome = try? await client().send(order)
            #expect(outcome?.status == (answers.isEmpty ? nil : 503))
            #expect(server.count == 1)
        }
        let dead = try DeadPort()
        let order = try request(dead.number, host: "127.0.0.1", scheme: .http)
        await #expect(throws: HTTPFailure(.notConnected, mayHaveArrived: false)) { try await client().send(order) }
        #expect(clock.pauses.isEmpty)
    }

    @Test("a query whose answer breaks the rules or is too large is not sent again")
    func hopeless() async throws {
        let server = try ScriptedServer([[.send("garbage\r\n")], FakeNode.http("second")])
        await #expect(throws: HTTPFailure(.notHTTP, mayHaveArrived: true)) { try await client().send(query(server)) }
        #expect(server.count == 1)
        await #expect(throws: HTTPFailure(.tooLarge(limit: 5), mayHaveArrived: true)) {
            try await client().send(query(server, limit: 5))
        }
        #expect(clock.pauses.isEmpty)
    }

    @Test("a refused certificate or pin is not tried again")
    func trust() async throws {
        let world = try TestWorld.shared.get()
        let server = try world.server([world.intercepted])
        let policies = [
            (try PinPolicy.pinning(to: [.of(world.leaf)]), try world.roots()),
            (PinPolicy.none, try world.roots([world.root])),
        ]
        for (policy, roots) in policies {
            let client = PinnedHTTPTestSupport.client(policy, roots: roots, retries: RetryPolicy(), sleeping: clock)
            await #expect(throws: HTTPFailure.self) { try await client.send(request(server.port, .get)) }
        }
        try await Patience.wait(for: "the refusals") { try server.connections.count >= 2 }
        #expect(try server.connections.count == 2)
        #expect(clock.pauses.isEmpty)
    }

    @Test("Retry-After is waited for, in seconds or until a date, with a random time on top")
    func retryAfter() async throws {
        // The device's time is 1994-11-06T08:49:37Z plus an hour: the certificates do not matter here.
        for (value, pause) in [("7", 7.25), ("0", 0.25), ("soon", 0.25)] {
            let server = try ScriptedServer([
                FakeNode.http("", status: "429 Too Many Requests", headers: ["Retry-After: \(value)"]),
                FakeNode.http("ok"),
            ])
            let before = clock.pauses.count
            #expect(try await client().send(query(server)).status == 200)
            #expect(clock.pauses.dropFirst(before) == [.seconds(pause)])
        }
        let policy = RetryPolicy()
        let answer = HTTPResponse(
            status: 503, headers: [HTTPHeader("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], body: [])
        #expect(policy.delay(asked: answer, now: 784_111_770) == .seconds(7))
        #expect(policy.delay(asked: answer, now: 784_111_777) == .zero)
        #expect(policy.delay(asked: answer, now: 784_111_800) == .zero)
    }

    @Test("an answer that asks for a longer pause than the bound is returned, and so is the last one")
    func retryAfterBound() async throws {
        let long = FakeNode.http("", status: "503 Service Unavailable", headers: ["Retry-After: 31"])
        let server = try ScriptedServer([long, FakeNode.http("second")])
        #expect(try await client().send(query(server)).status == 503)
        #expect(server.count == 1)
        let busy = FakeNode.http("", status: "502 Bad Gateway")
        let another = try ScriptedServer([busy, busy, busy, FakeNode.http("fourth")])
        #expect(try await client().send(query(another)).status == 502)
        #expect(another.count == 3)
        // Other statuses are final.
        let wrong = try ScriptedServer([FakeNode.http("", status: "500 Error"), FakeNode.http("second")])
        #expect(try await client().send(query(wrong)).status == 500)
    }

    @Test("pauses are random, from nothing to their bound, and their bound is bounded")
    func jitter() {
        let policy = RetryPolicy(
            attempts: 100, firstPause: .milliseconds(100), longestPause: .seconds(1), longestRetryAfter: .zero)
        #expect(
            (1...6).map { policy.bound(after: $0) } == [100, 200, 400, 800, 1_000, 1_000].map { .milliseconds($0) })
        #expect(policy.bound(after: .max) == .seconds(1))
        #expect(policy.pause(after: 1, random: Constant(byte: 0)) == .zero)
        #expect(policy.pause(after: 4, random: Constant(byte: 0xFF)) == .milliseconds(800))
        let random = SeededRandom(seed: 1)
        let pauses = (0..<1_000).map { _ in policy.pause(after: 5, random: random) }
        #expect(pauses.allSatisfy { $0 >= .zero && $0 <= .seconds(1) })
        #expect(pauses.count { $0 < .milliseconds(500) } > 400)
        #expect(pauses.count { $0 > .milliseconds(500) } > 400)
    }

    @Test("a task that is cancelled in a pause ends")
    func cancelled() async throws {
        let server = try ScriptedServer([[]])
        let policy = RetryPolicy(firstPause: .seconds(600), longestPause: .seconds(600))
        let client = try client(policy)
        let query = try query(server)
        let task = Task { try await client.send(query) }
        try await Patience.wait(for: "the request") { server.count == 1 }
        task.cancel()
        let outcome = await task.result
        // It is cancelled in the pause, or just before it, while the first answer is read.
        guard case .failure(let error as HTTPFailure) = outcome else {
            Issue.record("an answer came")
            return
        }
        #expect(error == HTTPFailure(.cancelled, mayHaveArrived: true))
    }
}
