internal import GRDB
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Commits concurrent writes together: a commit waits for the disk, and ten writes can share one wait.
///
/// While the disk works, writes gather; afterwards they run one after the other in one transaction. All are answered
/// after the commit, none before. A single write runs at once.
///
/// If one throws, all are rolled back and run again, each in a savepoint of its own, so that one that throws is rolled
/// back alone. Savepoints cost more than most writes, and writes rarely throw.
final class GroupCommit: Sendable {
    /// A write, and the time since which it waits.
    private struct Waiting {
        let write: any PendingWrite
        let since: ContinuousClock.Instant
    }

    private struct State {
        var waiting: [Waiting] = []
        var load = StoreLoad()
        var isRunning = false
        var isClosed = false
        var commits = 0
    }

    private let state = Mutex(State())
    private let pool: DatabasePool
    private let log: LogCopying
    private let files: OpenedFiles

    init(_ pool: DatabasePool, log: LogCopying, files: OpenedFiles) {
        self.pool = pool
        self.log = log
        self.files = files
    }

    /// Adds a write. It is answered in any case.
    func submit(_ write: any PendingWrite) {
        let start = ContinuousClock.now
        let (refusal, mustStart) = state.withLock { state -> (StoreError?, Bool) in
            if state.isClosed { return (.unavailable, false) }
            guard state.waiting.count < StoreLimits.waiting else { return (.overloaded, false) }
            state.waiting.append(Waiting(write: write, since: start))
            defer { state.isRunning = true }
            return (nil, !state.isRunning)
        }
        if let refusal { write.answer(refusal) }
        if mustStart { pool.asyncWriteWithoutTransaction { self.runAll($0) } }
    }

    /// The number of committed transactions: fewer than writes, if writes came together.
    var commits: Int { state.withLock { $0.commits } }

    /// The number of writes that wait or waited.
    var load: StoreLoad {
        state.withLock { state in
            var load = state.load
            load.waiting = state.waiting.count
            return load
        }
    }

    /// Accepts no more writes. Waiting ones still run.
    func close() { state.withLock { $0.isClosed = true } }

    private func runAll(_ connection: GRDB.Database) {
        let statements = SQLiteStatements(of: connection)
        while true {
            let now = ContinuousClock.now
            let batch = state.withLock { state -> [any PendingWrite] in
                let batch = state.waiting.prefix(StoreLimits.commitTogether)
                let writes = batch.map(\.write)
                for one in batch { state.load.began(after: now - one.since) }
                state.waiting.removeFirst(batch.count)
                if writes.isEmpty { state.isRunning = false }
                return writes
            }
            if batch.isEmpty { return }
            let failure = runInPlace(batch, statements)
            if failure == nil { state.withLock { $0.commits += 1 } }
            for write in batch { write.answer(failure) }
            log.afterCommit(connection)
            // Under load, clients that were just answered will send again soon, and others with them.
            if batch.count >= StoreLimits.commitSiblings { usleep(StoreLimits.commitDelayMicroseconds) }
        }
    }

    /// Runs writes, unless the files were removed, replaced or cut: no write that is answered is lost with them.
    private func runInPlace(_ batch: [any PendingWrite], _ statements: SQLiteStatements) -> StoreError? {
        guard files.areInPlace else { return .fileReplaced }
        if let failure = Self.run(batch, statements) { return failure }
        return files.areInPlace ? nil : .outcomeUnknown
    }

    /// Returns the error that made all of them fail; nil if they are committed, except those that threw.
    private static func run(_ batch: [any PendingWrite], _ statements: SQLiteStatements) -> StoreError? {
        do throws(StoreError) {
            if try !commit(batch, statements, savepoints: false), batch.count > 1 {
                _ = try commit(batch, statements, savepoints: true)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Runs writes in one transaction, and commits it.
    ///
    /// - Parameter savepoints: whether a write that throws is rolled back alone. Otherwise all of them are.
    /// - Returns: whether it was committed.
    /// - Throws: the error that made the transaction fail.
    private static func commit(
        _ batch: [any PendingWrite], _ statements: SQLiteStatements, savepoints: Bool
    ) throws(StoreError) -> Bool {
        let transaction = try SQLiteTransaction(statements)
        defer { transaction.end() }
        do throws(StoreError) {
            _ = try transaction.unguarded("BEGIN IMMEDIATE")
            for write in batch {
                guard try run(write, statements, in: savepoints ? transaction : nil) else {
                    _ = try transaction.unguarded("ROLLBACK")
                    return false
                }
            }
            _ = try transaction.unguarded("COMMIT")
            return true
        } catch {
            // After most errors the transaction is still open; after some SQLite has rolled it back already.
            if !transaction.isGone { _ = try? transaction.unguarded("ROLLBACK") }
            throw error
        }
    }

    /// Runs one write of a batch.
    ///
    /// - Parameter outer: the transaction of the batch, if the write is to have a savepoint.
    /// - Returns: false if the write must be rolled back with the whole batch.
    private static func run(
        _ write: any PendingWrite, _ statements: SQLiteStatements, in outer: SQLiteTransaction?
    ) throws(StoreError) -> Bool {
        _ = try outer?.unguarded("SAVEPOINT write")
        // A separate one, so that a body that keeps it cannot run statements among those of another write.
        let own = try SQLiteTransaction(statements)
        let isDone = write.run(in: own)
        own.end()
        // Without a transaction, the statements of the next write would each be committed by themselves.
        guard !own.isGone else { throw own.ending ?? .failed(code: "no transaction") }
        guard let outer else { return isDone }
        if !isDone { _ = try outer.unguarded("ROLLBACK TO write") }
        _ = try outer.unguarded("RELEASE write")
        return true
    }
}

/// A write that waits for its turn.
protocol PendingWrite: Sendable {
    /// Runs it. Returns false if it threw, or one of its statements failed: it is to be rolled back.
    func run(in transaction: SQLiteTransaction) -> Bool

    /// Returns the result to the caller.
    ///
    /// - Parameter failure: the error that made the whole transaction fail; nil if it was committed.
    func answer(_ failure: StoreError?)
}

/// A write with its waiting caller.
final class Write<Value: Sendable>: PendingWrite {
    private let body: @Sendable (any Transaction) throws -> Value
    private let caller: CheckedContinuation<Value, any Error>
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    init(
        _ body: @escaping @Sendable (any Transaction) throws -> Value,
        answering caller: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.caller = caller
    }

    func run(in transaction: SQLiteTransaction) -> Bool {
        var result: Result<Value, any Error>
        do {
            result = .success(try body(transaction))
            // The body may have caught the error. A transaction with a failed part is not committed.
            if let failure = transaction.ending { result = .failure(failure) }
        } catch {
            result = .failure(error)
        }
        let made = result
        outcome.withLock { $0 = made }
        if case .success = made { return true } else { return false }
    }

    func answer(_ failure: StoreError?) {
        let outcome = outcome.withLock { $0 }
        switch (outcome, failure) {
        // Its own error says more than the outcome of the others.
        case (.failure(let error)?, _): caller.resume(throwing: error)
        case (.success(let value)?, nil): caller.resume(returning: value)
        case (_, let failure): caller.resume(throwing: failure ?? .unavailable)
        }
    }
}
