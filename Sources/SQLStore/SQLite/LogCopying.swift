internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Copies the write-ahead log to the database's file while writes go on.
///
/// SQLite would do it within a commit, which then waits for thousands of pages to reach the disk, and so does everybody behind
/// it. Here a second connection copies nearly all of them meanwhile; the writer copies what was added since, which is little,
/// and begins the log anew.
final class LogCopying: Sendable {
    private struct State {
        /// Pages in the log, as of the last commit.
        var pages = 0
        /// So many there were when the log was last copied: it could not begin anew, if there are more now. Then somebody reads
        /// an old state.
        var copied = 0
        var isRunning = false
        var mustFinish = false
        /// Whether the log is to be emptied, and not before when that is tried again.
        var mustEmpty = false
        var nextAttempt = ContinuousClock.now
    }

    private enum Step { case none, start, copy, empty }

    private let state = Mutex(State())
    private let connection: DatabaseQueue
    private let pool: DatabasePool
    private let lockSeconds: Double

    /// - Parameters:
    ///   - pool: of the writer.
    ///   - lockSeconds: how long the writer waits for a lock of another process.
    init(path: String, of pool: DatabasePool, lockSeconds: Double) throws {
        self.pool = pool
        self.lockSeconds = lockSeconds
        var configuration = Configuration()
        configuration.busyMode = .timeout(lockSeconds)
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Pages in the log, as of the last commit.
    var pages: Int { state.withLock { $0.pages } }

    /// Has the writer tell how long the log is, instead of copying it itself.
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

    /// Tells nobody any more: this value may go.
    func unwatch(_ writer: GRDB.Database) {
        sqlite3_wal_hook(writer.sqliteConnection, nil, nil)
    }

    /// To be called by the writer between transactions.
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
                // An error is the disk's, and the writer will meet it too.
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

    /// Has the log emptied: until then it has what was deleted. It is copied first, while writes go on, so that the writer
    /// is held up for a moment only.
    func empty() {
        state.withLock { state in
            state.mustEmpty = true
            state.nextAttempt = .now
        }
        wake()
    }

    /// Has the writer look at what is to be done, also if no write comes.
    private func wake() { pool.asyncWriteWithoutTransaction { self.afterCommit($0) } }

    private func empty(_ writer: GRDB.Database) {
        guard let handle = writer.sqliteConnection else { return }
        // A reader of an older state is not waited for: everybody behind it would wait as well.
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
        // Passive: as much as can be copied without waiting for anybody. With it both files are flushed.
        sqlite3_wal_checkpoint_v2(connection.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Waits for what has begun.
    func close() { try? connection.close() }
}
