internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Copies the write-ahead log into the database's file while writes continue.
///
/// SQLite would do it within a commit, which then waits for thousands of pages to reach the disk, with everything
/// behind it. Here a second connection copies nearly all of them meanwhile; the writer copies the few that were added
/// since, and starts the log again.
final class LogCopying: Sendable {
    private struct State {
        /// The number of pages in the log, as of the last commit.
        var pages = 0
        /// Their number when the log was last copied. If there are more now, it could not start again, because a reader
        /// holds an old state.
        var copied = 0
        var isRunning = false
        var mustFinish = false
        /// Whether the log is to be emptied, and the earliest time of the next attempt.
        var mustEmpty = false
        var nextAttempt = ContinuousClock.now
    }

    private enum Step { case none, start, copy, empty }

    private let state = Mutex(State())
    private let connection: DatabaseQueue
    private let pool: DatabasePool
    private let lockSeconds: Double

    /// - Parameters:
    ///   - pool: the pool of the writer.
    ///   - lockSeconds: the maximum wait of the writer for a lock of another process.
    init(path: String, of pool: DatabasePool, lockSeconds: Double) throws {
        self.pool = pool
        self.lockSeconds = lockSeconds
        var configuration = Configuration()
        configuration.busyMode = .timeout(lockSeconds)
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The number of pages in the log, as of the last commit.
    var pages: Int { state.withLock { $0.pages } }

    /// Makes the writer report the log's length, instead of copying the log itself.
    func watch(_ writer: GRDB.Database) {
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { context, _, _, pages in
                if let context {
                    Unmanaged<LogCopying>.fromOpaque(context).takeUnretainedValue().state.withLock {
                        $0.pages = Int(pages)
                    }
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the reports, so that this value may be dropped.
    func unwatch(_ writer: GRDB.Database) {
        sqlite3_wal_hook(writer.sqliteConnection, nil, nil)
    }

    /// Called by the writer between transactions.
    func afterCommit(_ writer: GRDB.Database) {
        let step = state.withLock { state -> Step in
            if state.mustFinish {
                state.mustFinish = false
                state.copied = state.pages
                return state.mustEmpty ? .empty : .copy
            }
            if state.pages < state.copied { state.copied = 0 }
            guard !state.isRunning,
                state.pages >= state.copied + StoreLimits.logPages || state.mustEmpty && .now >= state.nextAttempt
            else { return .none }
            state.isRunning = true
            return .start
        }
        switch step {
        case .none: return
        case .copy: Self.copy(writer)
        case .empty: empty(writer)
        case .start:
            connection.asyncWriteWithoutTransaction { connection in
                // A disk error will also reach the writer.
                Self.copy(connection)
                let mustEmpty = self.state.withLock { state in
                    state.isRunning = false
                    state.mustFinish = true
                    return state.mustEmpty
                }
                if mustEmpty { self.wake() }
            }
        }
    }

    /// Empties the log, which contains deleted data until then. It is copied first, while writes continue, so that the
    /// writer is delayed only for a moment.
    func empty() {
        state.withLock { state in
            state.mustEmpty = true
            state.nextAttempt = .now
        }
        wake()
    }

    /// Makes the writer check for work, even if no write comes.
    private func wake() { pool.asyncWriteWithoutTransaction { self.afterCommit($0) } }

    private func empty(_ writer: GRDB.Database) {
        guard let handle = writer.sqliteConnection else { return }
        // It does not wait for a reader of an older state, which would delay all writes.
        sqlite3_busy_timeout(handle, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        sqlite3_busy_timeout(handle, Int32(lockSeconds * 1_000))
        state.withLock { state in
            if code == SQLITE_OK {
                state.mustEmpty = false
                (state.pages, state.copied) = (0, 0)
            } else {
                state.nextAttempt = .now + .milliseconds(StoreLimits.emptyingPauseMilliseconds)
            }
        }
    }

    private static func copy(_ connection: GRDB.Database) {
        guard connection.sqliteConnection != nil else { return }
        // Passive: copies as much as is possible without waiting. It also flushes both files.
        sqlite3_wal_checkpoint_v2(connection.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Waits for running work.
    func close() { try? connection.close() }
}
