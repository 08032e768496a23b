/// The limits of the store, and its waiting times.
package enum StoreLimits {
    /// Bytes of a value. A statement with a chain of certificates has some 10 KiB.
    static let longestValue = 1 << 20
    /// The number of writes that wait for the writer, or of transactions that wait for a connection. At 2,000 a second
    /// they take two seconds: further requests are refused at once.
    static let waiting = 4096
    /// Writes that are committed together. More would make the first of them wait for the last.
    static let commitTogether = 128
    /// The number of writes in a commit from which on the next commit waits a moment to collect more writes, as by
    /// PostgreSQL's `commit_siblings` and `commit_delay`.
    static let commitSiblings = 4
    static let commitDelayMicroseconds: UInt32 = 2_000
    /// How long SQLite waits for a lock of another process, in seconds: only a backup or a second server could hold one.
    package static let sqliteLockSeconds = 5.0
    /// The number of pages of the write-ahead log after which it is copied to the file: 16 MiB. With SQLite's default
    /// of 4 MiB it would be copied several times a second under load.
    static let logPages = 4096
    /// The time in milliseconds after which the log is emptied, if a reader prevented it before.
    static let emptyingPauseMilliseconds: Int64 = 1_000
    /// How long PostgreSQL waits for a lock, in milliseconds, and keeps a transaction that does nothing.
    package static let lockMilliseconds: Int64 = 3_000
    package static let idleTransactionMilliseconds: Int64 = 10_000
    /// The number of attempts at a transaction that PostgreSQL ended in favour of another one, or whose connection was
    /// lost. The pauses between them are 25, 50, 100 ms and so on: 3 seconds in all, enough for a database that
    /// restarts.
    static let attempts = 8
    static let firstPauseMicroseconds: UInt32 = 25_000
    /// How long a transaction waits for a free connection of PostgreSQL, and then for the server's answers, in
    /// milliseconds: longer than the server's own limit for a statement, so that a working server answers first.
    package static let patienceMilliseconds: Int64 = 8_000
    /// The wait for the server's answers while tables are made or changed, in nanoseconds: five minutes.
    static let migrationNanoseconds: UInt64 = 300_000_000_000
    /// Connections to PostgreSQL: each has a thread while it works.
    package static let postgreSQLConnections = 1...64
    /// The time in which a connection has to be made, in seconds.
    static let connectSeconds = 5
    /// The connections that are compared at the start. With 2, two processes of PgBouncer on one port were missed.
    static let probes = 4
    /// The number of rows that are removed or sealed anew in one transaction, so that others get their turn.
    package static let rowsAtOnce: Int64 = 500
}
