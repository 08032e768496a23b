package import AuthAPI
internal import GRDB
internal import SecureStorage

/// Copies of a database in one file, made while the server runs.
///
/// - Warning: a copy holds what the database held, sealed as it was: it is of no use without the master key, which belongs
///   in another place. Accounts that were erased after it was made are in it.
package enum SQLiteBackup {
    /// What a file was found to hold.
    package struct Report: Equatable, Sendable {
        /// How many migrations have run on it, and whether those are all that this program knows.
        package let migrations: Int
        package let isCurrent: Bool
        package let accounts: Int64
        package let sessions: Int64
    }

    /// What lies beside a database of SQLite, by the ends of the names. The first one is the database.
    static let companions = ["", "-wal", "-shm", "-journal"]

    /// Copies the database as it is at one moment. Writes go on meanwhile. The copy is checked, flushed to the disk and then
    /// named, so that whatever has the name is whole.
    ///
    /// - Throws: ``StoreError/alreadyExists`` if something has that name, ``StoreError/diskFull``, …
    @discardableResult
    package static func make(of database: SQLiteDatabase, at path: String) async throws(StoreError) -> Report {
        let file = try NewFile(at: path)
        do throws(StoreError) {
            do {
                var configuration = Configuration()
                configuration.busyMode = .timeout(StoreLimits.sqliteLockSeconds)
                let connection = try DatabaseQueue(path: database.path, configuration: configuration)
                defer { try? connection.close() }
                let copy = file.temporaryPath
                // It leaves out free pages: nothing that was deleted is in the copy.
                try await connection.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
            } catch {
                throw StoreError(error)
            }
            let report = try await check(file.temporaryPath)
            try file.keep()
            return report
        } catch {
            file.discard()
            throw error
        }
    }

    /// Reads all of a copy: whether each page and index is as it must be, and whether this program knows its tables.
    ///
    /// - Throws: ``StoreError/damaged``, ``StoreError/unknownMigration(_:)``, ``StoreError/migrationWasChanged(_:)``,
    ///   ``StoreError/notFound``.
    package static func check(_ path: String) async throws(StoreError) -> Report {
        guard FolderCreation.isOccupied(path) else { throw .notFound }
        do {
            let connection = try openForReading(path)
            defer { try? connection.close() }
            return try await connection.read { connection in
                guard try String.fetchAll(connection, sql: "PRAGMA integrity_check") == ["ok"],
                    try Row.fetchOne(connection, sql: "PRAGMA foreign_key_check") == nil
                else { throw StoreError.damaged }
                let transaction = try SQLiteTransaction(connection)
                let migrations = try Migrator.applied(in: transaction, of: Migration.all)
                func count(_ sql: SQL) throws(StoreError) -> Int64 {
                    try transaction.first(sql, [])?.integer(0) ?? 0
                }
                return Report(
                    migrations: migrations, isCurrent: migrations == Migration.all.count,
                    accounts: try count("SELECT count(*) FROM accounts"),
                    sessions: try count("SELECT count(*) FROM refresh_tokens"))
            }
        } catch {
            throw StoreError(error)
        }
    }

    private static func openForReading(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(StoreLimits.sqliteLockSeconds)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Reads all pages of a database, and changes nothing. - Throws: ``StoreError/damaged``.
    package static func requireSoundPages(_ path: String) async throws(StoreError) {
        do {
            let connection = try openForReading(path)
            defer { try? connection.close() }
            try await connection.read { connection in
                guard try String.fetchAll(connection, sql: "PRAGMA quick_check") == ["ok"] else {
                    throw StoreError.damaged
                }
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Puts a copy in the place of a database that is gone, after checking it.
    ///
    /// Sessions that were ended after the copy was made would be alive again, and tokens that were rotated since would look
    /// stolen. So all sessions are ended, and with them their access tokens: everybody signs in again. A session that began
    /// after the copy was made is not known, and its tokens are refused for that.
    ///
    /// Of challenges and proofs, which are used once, the copy does not know which were used after it was made. So the keys that
    /// make them go too, and the next start makes new ones.
    ///
    /// So it is with invitations: one that was used since would be good again. All are removed.
    ///
    /// - Parameter path: where the database is to be: nothing may be there, nor the log of an earlier one.
    package static func restore(
        _ copy: String, to path: String, at now: Timestamp
    ) async throws(StoreError) -> Report {
        let report = try await check(copy)
        for companion in companions where FolderCreation.isOccupied(path + companion) {
            throw .alreadyExists
        }
        let file = try NewFile(at: path)
        do throws(StoreError) {
            try file.fill(from: copy)
            // A database that was not closed, as one that was moved away after a crash, has its last commits here.
            if FolderCreation.isOccupied(copy + "-wal") { try file.fill("-wal", from: copy) }
            // What was copied is checked as well, and not only what it was copied from.
            guard try await check(file.temporaryPath) == report else { throw .damaged }
            try await endSessions(of: file.temporaryPath, at: now)
            try file.keep()
        } catch {
            file.discard()
            throw error
        }
        return report
    }

    private static func endSessions(of path: String, at now: Timestamp) async throws(StoreError) {
        do {
            // Not as a pool: its log would be another file, which does not follow when this one is renamed.
            let connection = try DatabaseQueue(path: path)
            defer { try? connection.close() }
            try await connection.write { connection in
                let transaction = try SQLiteTransaction(connection)
                try Sessions.revokeAll(at: now, reason: "restored", in: transaction)
                let applied = try Migrator.applied(in: transaction, of: Migration.all)
                if Migration.all.prefix(applied).contains(where: { $0.digest == Migration.invitations.digest }) {
                    try Invitations.removeAll(in: transaction)
                }
                for purpose in [KeyPurpose.challenge, .proofNonce] {
                    try ServerKeys.removeAll(purpose: purpose.rawValue, in: transaction)
                }
            }
        } catch {
            throw StoreError(error)
        }
    }
}
