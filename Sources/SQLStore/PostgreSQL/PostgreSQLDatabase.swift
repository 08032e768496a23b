internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A store on a PostgreSQL server, which several of our servers share.
///
/// Each connection has a queue of its own, on which libpq may block. Transactions are READ COMMITTED. A transaction
/// that conflicted with another one, or whose connection was lost before the commit, is repeated a few times.
package final class PostgreSQLDatabase: Database {
    private struct State {
        var idle: [Worker]
        var waiting: [Job] = []
        var load = StoreLoad()
        var isClosed = false
        /// The callers that wait until all connections are idle.
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    /// A transaction that waits for a connection.
    private struct Job: Sendable {
        let run: @Sendable (PostgreSQLConnection) -> Void
        let refuse: @Sendable (StoreError) -> Void
        let submitted = ContinuousClock.now
    }

    /// A connection and its queue. `@unchecked`: a worker is idle, or has one job, and jobs run on its queue only.
    private final class Worker: @unchecked Sendable {
        let connection: PostgreSQLConnection
        let queue = DispatchQueue(label: "fueki.postgresql")

        init(_ connection: PostgreSQLConnection) { self.connection = connection }
    }

    private let connections: Int
    /// The maximum wait in milliseconds.
    private let patience: Int64
    private let state: Mutex<State>

    /// Connects once, to check that it is possible.
    ///
    /// - Parameters:
    ///   - connections: the maximum number of connections: `StoreLimits.postgreSQLConnections`.
    ///   - statementMilliseconds: the maximum duration of a statement.
    ///   - lockMilliseconds: the maximum wait for a lock.
    ///   - idleMilliseconds: the time after which the server ends a transaction that does nothing.
    ///   - patienceMilliseconds: the maximum wait of a transaction for a connection, and then for the server's answers.
    /// - Throws: ``StoreError/notReached(_:)``, ``StoreError/overloaded``, ``StoreError/sharedSessions``.
    package init(
        at address: PostgreSQLAddress, connections: Int,
        statementMilliseconds: Int64 = 5_000, lockMilliseconds: Int64 = StoreLimits.lockMilliseconds,
        idleMilliseconds: Int64 = StoreLimits.idleTransactionMilliseconds,
        patienceMilliseconds: Int64 = StoreLimits.patienceMilliseconds
    ) async throws {
        let range = StoreLimits.postgreSQLConnections
        self.connections = min(max(connections, range.lowerBound), range.upperBound)
        patience = max(patienceMilliseconds, 1)
        let complaint = PostgreSQLComplaint()
        let connect = { @Sendable () -> PostgreSQLConnection in
            PostgreSQLConnection(
                to: address, statementMilliseconds: statementMilliseconds, lockMilliseconds: lockMilliseconds,
                idleMilliseconds: idleMilliseconds, complaint: complaint)
        }
        state = Mutex(State(idle: (0..<self.connections).map { _ in Worker(connect()) }))
        do {
            try await read { transaction in _ = try transaction.run("SELECT 1", []) }
        } catch StoreError.unavailable {
            // PgBouncer in its mode `statement` closes a connection that begins a transaction.
            try await Self.refuseSharedSessions(patience, connect)
            // libpq's reason is reported only here: to the operator, who starts or checks the server.
            throw StoreError.notReached(complaint.text.withLock { $0 }.map(Self.line) ?? "it does not answer")
        }
        try await Self.refuseSharedSessions(patience, connect)
    }

    private static func refuseSharedSessions(
        _ patience: Int64, _ connect: @escaping @Sendable () -> PostgreSQLConnection
    ) async throws {
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
            // libpq blocks while it connects.
            DispatchQueue.global().async {
                caller.resume(
                    with: Result {
                        try SessionSharing.refuse {
                            let connection = connect()
                            // A pooler with a full pool keeps a connection waiting for minutes.
                            connection.patience = UInt64(patience) * 1_000_000
                            return connection
                        }
                    })
            }
        }
    }

    /// Returns one line of libpq's error, without control characters.
    private static func line(_ text: String) -> String {
        let words = text.split { $0.isNewline || $0.isWhitespace }.joined(separator: " ")
        return String(
            String.UnicodeScalarView(words.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(400)))
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

    package func forgetDeleted() {}

    package var load: StoreLoad {
        state.withLock { state in
            var load = state.load
            load.waiting = state.waiting.count
            return load
        }
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
        let patience = patience
        return try await withCheckedThrowingContinuation { caller in
            submit(
                Job(
                    run: { connection in
                        let limit = UInt64(patience) * 1_000_000
                        caller.resume(with: Result { try access.run(body, on: connection, patience: limit) })
                    }, refuse: { caller.resume(throwing: $0) }))
        }
    }

    private func submit(_ job: Job) {
        let (worker, refusal) = state.withLock { state -> (Worker?, StoreError?) in
            if state.isClosed { return (nil, .unavailable) }
            if let worker = state.idle.popLast() {
                state.load.began(after: .zero)
                return (worker, nil)
            }
            guard state.waiting.count < StoreLimits.waiting else { return (nil, .overloaded) }
            state.waiting.append(job)
            return (nil, nil)
        }
        if let refusal { job.refuse(refusal) }
        if let worker { worker.queue.async { self.work(worker, beginningWith: job) } }
    }

    /// Runs a job, and then all jobs that wait; afterwards it is idle.
    private func work(_ worker: Worker, beginningWith job: Job) {
        var next: Job? = job
        while let job = next {
            // If the server does not answer, thousands may wait: their callers must not fail one by one, each after a
            // time limit of its own.
            let hasPatience = ContinuousClock.now - job.submitted < .milliseconds(patience)
            if hasPatience { job.run(worker.connection) } else { job.refuse(.overloaded) }
            next = state.withLock { state in
                if !state.waiting.isEmpty {
                    let first = state.waiting.removeFirst()
                    state.load.began(after: ContinuousClock.now - first.submitted)
                    return first
                }
                state.idle.append(worker)
                return nil
            }
        }
        let closing = state.withLock { state in
            guard state.idle.count == connections else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.closing = [] }
            return state.closing
        }
        // Not on the worker's own queue, for which disconnecting waits.
        if !closing.isEmpty { DispatchQueue.global().async { self.disconnectAll(answering: closing) } }
    }
}
