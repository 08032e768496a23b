internal import GRDB
internal import SecureStorage

/// Copies of a database in one file, made while the server runs.
///
/// - Warning: a copy holds what the database held, sealed as it was: it is of no use without the master key, which belongs
///   in another place. Rows that were removed after the copy was made are in it.
package enum SQLiteBackup {
    /// What a program knows of its tables, by which a copy is checked.
    package struct Contents<Counts: Equatable & Sendable>: Sendable {
        let migrations: [Migration]
        let count: @Sendable (any Transaction) throws(StoreError) -> Counts

        /// - Parameters:
        ///   - migrations: all that the program knows, the oldest first.
        ///   - count: reads what the report is to tell of the tables.
        package init(migrations: [Migration], count: @escaping @Sendable (any Transaction) throws(StoreError) -> Counts)
        {
            self.migrations = migrations
            self.count = count
        }
    }

    /// What a file was found to hold.
    package struct Report<Counts: Equatable & Sendable>: Equatable, Sendable {
        /// How many migrations have run on it, and whether those are all that this program knows.
        package let migrations: Int
        package let isCurrent: Bool
        /// What the program has counted.
        package let counts: Counts

        package init(migrations: Int, isCurrent: Bool, counts: Counts) {
            self.migrations = migrations
            self.isCurrent = isCurrent
            self.counts = counts
        }
    }

    /// What lies beside a database of SQLite, by the ends of the names. The first one is the database.
    package static let companions = ["", "-wal", "-shm", "-journal"]

    /// Copies the database as it is at one moment. Writes go on meanwhile. The copy is checked, flushed to the disk and then
    /// named, so that whatever has the name is whole.
    ///
    /// - Throws: ``StoreError/alreadyExists`` if something has that name, ``StoreError/diskFull``, …
    @discardableResult
    package static func make<Counts>(
        of database: SQLiteDatabase, at path: String, holding contents: Contents<Counts>
    ) async throws(StoreError) -> Report<Counts> {
        let file = try NewFile(at: path)
        do throws(StoreError) {
            do {
                var configuration = Configuration()
                configuration.busyMode = .timeout(database.lockSeconds)
                let connection = try DatabaseQueue(path: database.path, configuration: configuration)
                defer { try? connection.close() }
                let copy = file.temporaryPath
                // It leaves out free pages: nothing that was deleted is in the copy.
                try await connection.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
            } catch {
                throw StoreError(error)
            }
            let report = try await check(file.temporaryPath, holding: contents)
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
    package static func check<Counts>(
        _ path: String, holding contents: Contents<Counts>
    ) async throws(StoreError) -> Report<Counts> {
        guard FolderCreation.isOccupied(path) else { throw .notFound }
        do {
            let connection = try openForReading(path)
            defer { try? connection.close() }
            return try await connection.read { connection in
                guard try String.fetchAll(connection, sql: "PRAGMA integrity_check") == ["ok"],
                    try Row.fetchOne(connection, sql: "PRAGMA foreign_key_check") == nil
                else { throw StoreError.damaged }
                let transaction = try SQLiteTransaction(connection)
                let applied = try Migrator.applied(in: transaction, of: contents.migrations)
                return Report(
                    migrations: applied, isCurrent: applied == contents.migrations.count,
                    counts: try contents.count(transaction))
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
    /// What was used up, ended or removed after the copy was made is not so in the copy. The program says what becomes of it.
    ///
    /// - Parameters:
    ///   - path: where the database is to be: nothing may be there, nor the log of an earlier one.
    ///   - change: changes the tables in one transaction before the database gets its name. It is given how many migrations have
    ///     run on the copy.
    /// - Returns: what the copy held before it was changed.
    /// - Throws: ``StoreError/alreadyExists``, ``StoreError/diskFull``, and what ``check(_:holding:)`` throws: nothing is at the
    ///   path then.
    package static func restore<Counts>(
        _ copy: String, to path: String, holding contents: Contents<Counts>,
        changing change: @escaping @Sendable (any Transaction, _ migrations: Int) throws(StoreError) -> Void
    ) async throws(StoreError) -> Report<Counts> {
        let report = try await check(copy, holding: contents)
        for companion in companions where FolderCreation.isOccupied(path + companion) {
            throw .alreadyExists
        }
        let file = try NewFile(at: path)
        do throws(StoreError) {
            try file.fill(from: copy)
            // A database that was not closed, as one that was moved away after a crash, has its last commits here.
            if FolderCreation.isOccupied(copy + "-wal") { try file.fill("-wal", from: copy) }
            // What was copied is checked as well, and not only what it was copied from.
            guard try await check(file.temporaryPath, holding: contents) == report else { throw .damaged }
            do {
                // Not as a pool: its log would be another file, which does not follow when this one is renamed.
                let connection = try DatabaseQueue(path: file.temporaryPath)
                defer { try? connection.close() }
                try await connection.write { connection in
                    try change(try SQLiteTransaction(connection), report.migrations)
                }
            } catch {
                throw StoreError(error)
            }
            try file.keep()
        } catch {
            file.discard()
            throw error
        }
        return report
    }
}
