package import Time

/// Runs the migrations that this program needs.
package enum Migrator {
    /// Runs the missing migrations, all in one transaction. Any number of servers may start at once: one runs them, the
    /// others wait for it.
    ///
    /// - Parameter migrations: all migrations of the program, the oldest first.
    /// - Returns: the names of those that were run.
    /// - Throws: ``StoreError/migrationWasChanged(_:)``, ``StoreError/unknownMigration(_:)``. Then nothing has changed.
    @discardableResult
    package static func migrate(
        _ database: some Database, at now: Timestamp, to migrations: [Migration]
    ) async throws -> [String] {
        try await database.write { transaction in
            try transaction.waitForMigrations()
            try transaction.define(
                """
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    number \(.integer) NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE,
                    digest \(.bytes) NOT NULL,
                    applied_at \(.integer) NOT NULL
                ) \(.strict)
                """)
            let applied = try applied(in: transaction, of: migrations)
            for (number, migration) in migrations.enumerated().dropFirst(applied) {
                for definition in migration.definitions { try transaction.define(definition) }
                _ = try transaction.run(
                    "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES ($1, $2, $3, $4)",
                    [
                        .integer(Int64(number)), .text("\(migration.name)"), .bytes(migration.digest), .time(now),
                    ])
            }
            return migrations.dropFirst(applied).map { "\($0.name)" }
        }
    }

    /// Checks the tables without changing them.
    ///
    /// - Returns: whether all migrations have run.
    package static func isCurrent(_ database: some Database, with migrations: [Migration]) async throws -> Bool {
        try await database.read { transaction in
            try applied(in: transaction, of: migrations) == migrations.count
        }
    }

    /// Returns how many of the migrations have run. They must be the program's, in the same order.
    static func applied(
        in transaction: some Transaction, of migrations: [Migration]
    ) throws(StoreError) -> Int {
        let rows = try transaction.run("SELECT name, digest FROM schema_migrations ORDER BY number", [])
        for (number, row) in rows.enumerated() {
            let name = try row.text(0)
            guard number < migrations.count, "\(migrations[number].name)" == name else {
                throw .unknownMigration(name)
            }
            guard migrations[number].digest == (try row.bytes(1)) else { throw .migrationWasChanged(name) }
        }
        return rows.count
    }
}
