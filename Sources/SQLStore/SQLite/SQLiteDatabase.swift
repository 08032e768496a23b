internal import Foundation
internal import GRDB

/// A store in one file on this machine, the server's default.
///
/// Writes are durable when they are answered (`synchronous=FULL` in write-ahead mode: the log is flushed before a
/// commit returns), and concurrent ones are committed together. See ``GroupCommit``.
package final class SQLiteDatabase: Database {
    let pool: DatabasePool
    let commits: GroupCommit
    private let log: LogCopying
    /// The path of its file.
    package let path: String
    /// The maximum wait for a lock of another process, in seconds.
    let lockSeconds: Double

    /// Opens the file, or makes it. Makes the folder too, for its owner only.
    ///
    /// - Parameter lockSeconds: the time to wait for a lock of another process; a test waits longer than a server.
    /// - Throws: ``StoreError/insecure`` if other users could read or replace the file, ``StoreError/damaged`` if it is
    ///   not a database, ``StoreError/diskFull``, ``StoreError/unavailable``.
    package convenience init(
        at path: String, lockSeconds: Double = StoreLimits.sqliteLockSeconds
    ) async throws(StoreError) {
        try SQLiteFile.prepare(path)
        do {
            try await self.init(opening: path, lockSeconds: lockSeconds)
        } catch {
            throw StoreError(error)
        }
    }

    private init(opening path: String, lockSeconds: Double) async throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(lockSeconds)
        configuration.label = "fueki store"
        configuration.maximumReaderCount = 4
        configuration.acceptsDoubleQuotedStringLiterals = false
        configuration.prepareDatabase { connection in
            // A database that an attacker has changed must not be able to run code or read beyond its pages.
            try connection.execute(sql: "PRAGMA trusted_schema = OFF")
            try connection.execute(sql: "PRAGMA cell_size_check = ON")
            try connection.execute(sql: "PRAGMA temp_store = MEMORY")
            // SQLite overwrites deleted data: an erased row must not stay in free pages.
            try connection.execute(sql: "PRAGMA secure_delete = ON")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        let log = try LogCopying(path: path, of: pool, lockSeconds: lockSeconds)
        self.log = log
        commits = GroupCommit(pool, log: log, files: OpenedFiles(of: path))
        self.path = path
        self.lockSeconds = lockSeconds
        try await pool.writeWithoutTransaction { connection in
            // Only now: opening a pool, GRDB sets NORMAL, with which a loss of power may take the last commits.
            try connection.execute(sql: "PRAGMA synchronous = FULL")
            try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            log.watch(connection)
            try connection.execute(sql: "PRAGMA journal_size_limit = \(StoreLimits.logPages * 4096)")
        }
        SQLiteFile.restrictCompanions(of: path)
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.read { connection in
                let transaction = try SQLiteTransaction(connection)
                defer { transaction.end() }
                let value = try body(transaction)
                if let failure = transaction.ending { throw failure }
                return value
            }
        } catch let error as GRDB.DatabaseError {
            throw StoreError(error)
        }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            commits.submit(Write(body, answering: caller))
        }
    }

    package func forgetDeleted() { log.empty() }

    package var load: StoreLoad {
        var load = commits.load
        load.logPages = log.pages
        return load
    }

    package func close() async {
        commits.close()
        // Waits for the running writes and reads.
        let log = log
        _ = try? await pool.barrierWriteWithoutTransaction { log.unwatch($0) }
        try? pool.close()
        // The last connection can write, unlike the pool's readers, so closing it copies the log into the file and
        // removes the log. The file of a stopped server is then complete for a copy.
        log.close()
    }
}
