internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A store on a PostgreSQL server, which several servers of ours share.
///
/// Each of its connections has a queue of its own, on which libpq may wait as it likes. Transactions are READ COMMITTED; one that
/// lost against another, or whose connection went away before the commit, is tried again some times.
package final class PostgreSQLDatabase: Database {
    private struct State {
        var idle: [Worker]
        var waiting: [@Sendable (PostgreSQLConnection) -> Void] = []
        var isClosed = false
        /// Who waits until all connections are idle.
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    /// A connection, and where it is used. `@unchecked`: a worker is idle, or at one job, and jobs run on its queue only.
    private final class Worker: @unchecked Sendable {
        let connection: PostgreSQLConnection
        let queue = DispatchQueue(label: "fueki.postgresql")

        init(_ connection: PostgreSQLConnection) { self.connection = connection }
    }

    private let connections: Int
    private let state: Mutex<State>

    /// Connects once, to find out whether it can.
    ///
    /// - Parameters:
    ///   - connections: how many at most: 1...64.
    ///   - statementMilliseconds: how long a statement may take.
    /// - Throws: ``StoreError/unavailable``, ``StoreError/overloaded``.
    package init(
        at address: PostgreSQLAddress, connections: Int,
        statementMilliseconds: Int64 = 5_000
    ) async throws {
        self.connections = min(max(connections, 1), 64)
        state = Mutex(
            State(
                idle: (0..<self.connections).map { _ in
                    Worker(PostgreSQLConnection(to: address, statementMilliseconds: statementMilliseconds))
                }))
        try await read { transaction in _ = try transaction.run("SELECT 1", []) }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await run(.reading, body)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await run(.writing, body)
    }

    package func close() async {
        await withCheckedContinuation { caller in
            let areIdle = state.withLock { state in
                state.isClosed = true
                if state.idle.count == connections { return true }
                state.closing.append(caller)
                return false
            }
            if areIdle { disconnectAll(answering: [caller]) }
        }
    }

    private func disconnectAll(answering callers: [CheckedContinuation<Void, Never>]) {
        for worker in state.withLock({ $0.idle }) { worker.queue.sync { worker.connection.disconnect() } }
        for caller in callers { caller.resume() }
    }

    private func run<Value: Sendable>(
        _ access: PostgreSQLAccess, _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            submit(
                { connection in
                    caller.resume(with: Result { try access.run(body, on: connection) })
                }, refused: { caller.resume(throwing: $0) })
        }
    }

    private func submit(
        _ job: @escaping @Sendable (PostgreSQLConnection) -> Void, refused: (StoreError) -> Void
    ) {
        let (worker, refusal) = state.withLock { state -> (Worker?, StoreError?) in
            if state.isClosed { return (nil, .unavailable) }
            if let worker = state.idle.popLast() { return (worker, nil) }
            guard state.waiting.count < StoreLimits.waiting else { return (nil, .overloaded) }
            state.waiting.append(job)
            return (nil, nil)
        }
        if let refusal { refused(refusal) }
        if let worker { worker.queue.async { self.work(worker, beginningWith: job) } }
    }

    /// Does a job, and whatever waits by then; after that it is idle.
    private func work(_ worker: Worker, beginningWith job: @escaping @Sendable (PostgreSQLConnection) -> Void) {
        var next: (@Sendable (PostgreSQLConnection) -> Void)? = job
        while let job = next {
            job(worker.connection)
            next = state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.idle.append(worker)
                return nil
            }
        }
        let closing = state.withLock { state in
            guard state.idle.count == connections else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.closing = [] }
            return state.closing
        }
        // Not on the worker's own queue, which disconnecting waits for.
        if !closing.isEmpty { DispatchQueue.global().async { self.disconnectAll(answering: closing) } }
    }
}
