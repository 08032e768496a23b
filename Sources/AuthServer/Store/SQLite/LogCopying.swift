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
    }

    private let state = Mutex(State())
    private let connection: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(StoreLimits.sqliteLockSeconds)
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

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
        let (start, finish) = state.withLock { state -> (Bool, Bool) in
            if state.mustFinish {
                state.mustFinish = false
                state.copied = state.pages
                return (false, true)
            }
            if state.pages < state.copied { state.copied = 0 }
            guard !state.isRunning, state.pages >= state.copied + StoreLimits.logPages else { return (false, false) }
            state.isRunning = true
            return (true, false)
        }
        if start {
            connection.asyncWriteWithoutTransaction { connection in
                // An error is the disk's, and the writer will meet it too.
                Self.copy(connection)
                self.state.withLock { state in
                    state.isRunning = false
                    state.mustFinish = true
                }
            }
        }
        if finish { Self.copy(writer) }
    }

    private static func copy(_ connection: GRDB.Database) {
        // Passive: as much as can be copied without waiting for anybody. With it both files are flushed.
        sqlite3_wal_checkpoint_v2(connection.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Waits for what has begun.
    func close() { try? connection.close() }
}
