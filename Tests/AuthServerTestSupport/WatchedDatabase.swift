internal import Dispatch
internal import ServerHTTP
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport

@testable internal import AuthServer
@testable internal import SQLStore

/// A store that counts writes, and lets a test act at exact moments.
final class WatchedDatabase: Database {
    private let database: any Database
    private let state = Mutex(State())

    private struct State {
        var writes = 0
        var begun = 0
        var ended = 0
        var after: (@Sendable () async throws -> Void)?
        var afterRead: (@Sendable () async throws -> Void)?
        var held: Held?
        var failure: StoreError?
    }

    /// A transaction that has done its work and is held.
    final class Held: Sendable {
        private let arrival = DispatchSemaphore(value: 0)
        private let leave = DispatchSemaphore(value: 0)
        /// The number of other transactions before it.
        fileprivate let others: Mutex<Int>

        fileprivate init(after others: Int) { self.others = Mutex(others) }

        /// Waits until the transaction is held.
        func arrive() async {
            await withCheckedContinuation { caller in
                DispatchQueue.global().async {
                    self.arrival.wait()
                    caller.resume()
                }
            }
        }

        func letGo() { leave.signal() }

        fileprivate func stand() {
            arrival.signal()
            leave.wait()
        }
    }

    init(_ database: any Database) { self.database = database }

    /// The number of transactions whose last statement changed rows.
    var writes: Int { state.withLock { $0.writes } }

    /// Runs a closure once, after the next write transaction and before its caller continues.
    func afterNextWrite(_ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.after = action }
    }

    /// Runs a closure once, after the next read transaction and before its caller continues.
    func afterNextRead(_ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.afterRead = action }
    }

    /// Holds a write transaction before its commit: the next one, or a later one.
    func holdWrite(after others: Int = 0) -> Held {
        let held = Held(after: others)
        state.withLock { $0.held = held }
        return held
    }

    /// Waits until another write waits for the held one, or has ended without waiting: SQLite writes one transaction after the
    /// other, and PostgreSQL waits for a lock.
    func waitForQueue(in store: StoreUnderTest) async throws {
        let ended = state.withLock { $0.ended }
        try await Patience.wait(for: "a write behind the held one") {
            let (underway, hasEnded) = state.withLock { ($0.begun - $0.ended, $0.ended > ended) }
            guard underway > 1, store == .postgreSQL else { return underway > 1 || hasEnded }
            let waiting = try await database.read { transaction in
                try transaction.run(
                    """
                    SELECT 1 FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%pg_stat_activity%'
                    """, []
                )
                .count
            }
            return waiting > 0 || hasEnded
        }
    }

    /// Makes every write fail, as on a full disk; nil ends that.
    func failWrites(with failure: StoreError?) { state.withLock { $0.failure = failure } }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        let value = try await database.read(body)
        let action = state.withLock { state in
            defer { state.afterRead = nil }
            return state.afterRead
        }
        try await action?()
        return value
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        let held = state.withLock { state -> Held? in
            guard let held = state.held else { return nil }
            let isNext = held.others.withLock { others in
                others -= 1
                return others < 0
            }
            if isNext { state.held = nil }
            return isNext ? held : nil
        }
        let (value, hasWritten) = try await counted {
            try await database.write { transaction in
                let value = try body(transaction)
                let hasWritten = transaction.changes > 0
                held?.stand()
                return (value, hasWritten)
            }
        }
        let action = state.withLock { state in
            defer { state.after = nil }
            if hasWritten { state.writes += 1 }
            return state.after
        }
        try await action?()
        return value
    }

    private func counted<Value>(_ write: () async throws -> Value) async throws -> Value {
        state.withLock { $0.begun += 1 }
        defer { state.withLock { $0.ended += 1 } }
        return try await write()
    }

    func forgetDeleted() { database.forgetDeleted() }

    var load: StoreLoad { database.load }

    func close() async { await database.close() }
}
