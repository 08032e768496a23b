internal import Files
internal import GRDB

/// Copies of a database in one file, made while the server runs.
///
/// - Warning: A copy contains the database's data, sealed as they were: it is useless without the master key, which
///   must be kept elsewhere. Rows that were removed after the copy was made are in it.
package enum SQLiteBackup {
    /// The program's knowledge of its tables, by which a copy is checked.
    package struct Contents<Counts: Equatable & Sendable>: Sendable {
        let migrations: [Migration]
        let count: @Sendable (any Transaction) throws(StoreError) -> Counts

        /// - Parameters:
        ///   - migrations: all migrations of the program, the oldest first.
        ///   - count: reads the counts for the report.
        package init(migrations: [Migration], count: @escaping @Sendable (any Transaction) throws(StoreError) -> Counts)
        {
            self.migrations = migrations
            self.count = count
        }
    }

    /// The contents of a checked file.
    package struct Report<Counts: Equatable & Sendable>: Equatable, Sendable {
        /// The number of migrations that have run on it, and whether these are all.
        package let migrations: Int
        package let isCurrent: Bool
        /// The counts that the program has read.
        package let counts: Counts

        package init(migrations: Int, isCurrent: Bool, counts: Counts) {
            self.migrations = migrations
            self.isCurrent = isCurrent
            self.counts = counts
        }
    }

    /// The files of a SQLite database, by their suffixes. The first one is the database.
    package static let companions = ["", "-wal", "-shm", "-journal"]

    /// Copies the database as it is at one moment, while writes continue. The copy is checked, flushed to the disk and
    /// then named, so that a file of that name is always complete.
    ///
    /// - Throws: ``StoreError/alreadyExists`` if the name is taken, ``StoreError/diskFull``, …
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
                // It leaves out free pages, so no deleted data are in the copy.
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

    /// Reads all of a copy, and checks its pages and indices, and that the program knows its tables.
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

    /// Reads all pages of a database without changing it. - Throws: ``StoreError/damaged``.
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

    /// Restores a copy in place of a missing database, after checking it.
    ///
    /// Tokens that were used, sessions that ended and rows that were removed after the copy was made are back in it.
    /// The program decides what to do with them.
    ///
    /// - Parameters:
    ///   - path: the path of the database: neither it nor the log of an earlier one may exist.
    ///   - change: changes the tables in one transaction before the database gets its name. Its argument is the number
    ///     of migrations on the copy.
    /// - Returns: the contents of the copy before the change.
    /// - Throws: ``StoreError/alreadyExists``, ``StoreError/diskFull``, and the errors of ``check(_:holding:)``. Then
    ///   nothing is at the path.
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
            // A database that was not closed, such as one that was moved after a crash, has its last commits here.
            if FolderCreation.isOccupied(copy + "-wal") { try file.fill("-wal", from: copy) }
            // The new file is checked, too, not only its source.
            guard try await check(file.temporaryPath, holding: contents) == report else { throw .damaged }
            do {
                // Not as a pool: its log would be another file, which does not move when this one is renamed.
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
