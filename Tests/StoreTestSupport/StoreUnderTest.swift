package import SQLStore
internal import TestSupport
internal import Testing

/// The databases that every test of the store runs on.
package enum StoreUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgreSQL = "PostgreSQL"

    /// The databases on this machine. In CI all of them, so that a missing one is a failure.
    package static var expected: [StoreUnderTest] { Peer.postgreSQL.isExpected ? allCases : [.sqlite] }

    package var testDescription: String { rawValue }

    /// Opens an empty database, runs the migrations, and closes it afterwards.
    package func with<Result>(
        _ migrations: [Migration], _ body: (any Database) async throws -> Result
    ) async throws -> Result {
        try await withEmpty { database async throws in
            try await Migrator.migrate(database, at: now, to: migrations)
            return try await body(database)
        }
    }

    /// Opens an empty database, and closes it afterwards.
    package func withEmpty<Result>(_ body: (any Database) async throws -> Result) async throws -> Result {
        try await withEmpty(openedTimes: 1) { try await body($0[0]) }
    }

    /// Opens an empty database several times, like several servers.
    package func withEmpty<Result>(openedTimes times: Int, _ body: ([any Database]) async throws -> Result) async throws
        -> Result
    {
        let folder = try TemporaryFolder()
        let open: () async throws -> any Database
        switch self {
        case .sqlite:
            let path = "\(folder.path)/store/fueki.sqlite"
            open = { try await SQLiteDatabase(at: path, lockSeconds: Double(Patience.seconds)) }
        case .postgreSQL:
            let address = try PostgreSQLAddress(try PostgreSQL.shared.get().makeDatabase())
            // On a busy machine a transaction may wait for long: no time limit is reached unless a test is about it.
            open = {
                try await PostgreSQLDatabase(
                    at: address, connections: 4, statementMilliseconds: 600_000, lockMilliseconds: 600_000,
                    idleMilliseconds: 600_000, patienceMilliseconds: 3_600_000)
            }
        }
        var databases: [any Database] = []
        do {
            for _ in 0..<times { databases.append(try await open()) }
            let result = try await body(databases)
            for database in databases { await database.close() }
            return result
        } catch {
            for database in databases { await database.close() }
            throw error
        }
    }
}

extension SQLiteDatabase {
    /// Opens a file, with the tables of the migrations.
    package static func migrated(at path: String, to migrations: [Migration]) async throws -> SQLiteDatabase {
        let database = try await SQLiteDatabase(at: path, lockSeconds: Double(Patience.seconds))
        try await Migrator.migrate(database, at: now, to: migrations)
        return database
    }
}
