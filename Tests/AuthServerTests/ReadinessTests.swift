internal import AuthAPI
internal import AuthStore
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("Readiness")
struct ReadinessTests {
    /// A probe that ends when the test lets it, and counts how often it began.
    private final class Probe: Sendable {
        private struct State {
            var begun = 0
            var waiting: [CheckedContinuation<Void, Never>] = []
            var isOpen = false
        }

        private let state = Mutex(State())

        var begun: Int { state.withLock { $0.begun } }

        func run() async {
            await withCheckedContinuation { caller in
                let isOpen = state.withLock { state in
                    state.begun += 1
                    if !state.isOpen { state.waiting.append(caller) }
                    return state.isOpen
                }
                if isOpen { caller.resume() }
            }
        }

        func open() {
            let callers = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for caller in callers { caller.resume() }
        }
    }

    @Test("many concurrent callers cost one probe, and a result is reused for a while")
    func shared() async throws {
        let (readiness, probe) = (Readiness(patience: .seconds(600), age: .seconds(600)), Probe())
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { await readiness.isReady { await probe.run() } } }
            try await Patience.wait(for: "the probe") { probe.begun > 0 }
            probe.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == [Bool](repeating: true, count: 50))
        let again = await readiness.isReady { await probe.run() }
        #expect(again && probe.begun == 1)
    }

    @Test("a probe without an end times out, no second one starts beside it, and its end counts")
    func stuck() async throws {
        let (readiness, probe) = (Readiness(patience: .milliseconds(20), age: .zero), Probe())
        for _ in 0..<3 {
            let isReady = await readiness.isReady { await probe.run() }
            #expect(!isReady)
        }
        #expect(probe.begun == 1)
        probe.open()
        try await Patience.wait(for: "a probe that ends") { await readiness.isReady { await probe.run() } }
        #expect(probe.begun >= 1)
    }

    @Test("a failed probe means that the store is not ready")
    func failure() async {
        let readiness = Readiness(patience: .seconds(600), age: .zero)
        let (full, empty) = (
            await readiness.isReady { throw StoreError.diskFull }, await readiness.isReady {}
        )
        #expect(!full && empty)
    }

    @Test(
        "a server whose store was sealed again with a key that it does not have is not ready, and answers that it will be",
        arguments: StoreUnderTest.expected)
    func sealedAgain(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            let newer = sealer.adding(key: sealingKey(9), number: sealer.newest + 1)
            _ = try await Resealing.run(AuthTables.sealedColumns, of: server.database, sealer: newer)
            #expect(try await server.send(.get, "/readyz").problem == Problem(.unavailable))
            await #expect(throws: Problem(.unavailable, retryAfter: 1)) {
                try await phone.call(.get, "/api/auth/devices")
            }
        }
    }

    @Test("a store that refuses writes is not ready, even if it can be read", arguments: StoreUnderTest.expected)
    func store(_ store: StoreUnderTest) async throws {
        for failure in [StoreError.diskFull, .unavailable, .overloaded] {
            try await TestServer.with(store) { server in
                server.database.failWrites(with: failure)
                let answer = try await server.send(.get, "/readyz")
                #expect(answer.problem == Problem(.unavailable))
            }
        }
        try await TestServer.with(store) { server in
            let before = server.database.writes
            #expect(try await server.send(.get, "/readyz").status == 200)
            // It has written a row, which is removed soon.
            #expect(server.database.writes == before + 1)
            for _ in 0..<20 {
                let status = try await server.send(.get, "/readyz").status
                #expect(status == 200)
            }
            #expect(server.database.writes <= before + 20)
            server.clock.advance(.minutes(1))
            try await server.maintain()
            let left = try await server.database.read { transaction in
                try transaction.run("SELECT value FROM spent_values", []).count
            }
            #expect(left == 0)
        }
    }
}
