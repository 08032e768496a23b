/// What the store takes at most, and how long it waits.
package enum StoreLimits {
    /// Bytes of a value. A statement with a chain of certificates has some 10 KiB.
    static let longestValue = 1 << 20
    /// Writes that wait for the writer, or transactions that wait for a connection. At 2,000 a second it is two seconds of them:
    /// who comes later is better told at once.
    static let waiting = 4096
    /// Writes that are committed together. More would make the first of them wait for the last.
    static let commitTogether = 128
    /// From so many writes in a commit on, the next one waits a moment, so that more are in it. Both are the idea of PostgreSQL's
    /// `commit_siblings` and `commit_delay`.
    static let commitSiblings = 4
    static let commitDelayMicroseconds: UInt32 = 2_000
    /// How long SQLite waits for a lock of another process, in seconds: only a backup or a second server could hold one.
    package static let sqliteLockSeconds = 5.0
    /// Pages of the write-ahead log after which it is copied to the file. 16 MiB: with SQLite's own 4 MiB it would be copied some
    /// times a second under load.
    static let logPages = 4096
    /// Milliseconds after which the log is tried to be emptied again, where a reader was in the way.
    static let emptyingPauseMilliseconds: Int64 = 1_000
    /// How long PostgreSQL waits for a lock, in milliseconds, and keeps a transaction that does nothing.
    static let lockMilliseconds: Int64 = 3_000
    static let idleTransactionMilliseconds: Int64 = 10_000
    /// How often a transaction is tried that PostgreSQL ended for the sake of another one, or with the connection. Between the
    /// attempts are 25, 50, 100 ms and so on: 3 seconds in all, enough for a database that restarts.
    static let attempts = 8
    static let firstPauseMicroseconds: UInt32 = 25_000
    /// How long a transaction waits for a connection of PostgreSQL that is free, and then for the server's answers, in
    /// milliseconds: longer than a statement may take by the server's own limit, so that a server that works answers first.
    package static let patienceMilliseconds: Int64 = 8_000
    /// How long the answers are waited for while tables are made or changed, in nanoseconds: five minutes.
    static let migrationNanoseconds: UInt64 = 300_000_000_000
    /// Connections to PostgreSQL: each has a thread while it works.
    package static let postgreSQLConnections = 1...64
    /// How long a connection may take to come about, in seconds.
    static let connectSeconds = 5
    /// Rows that are removed or sealed anew in one transaction, so that others get their turn.
    package static let rowsAtOnce: Int64 = 500
}
