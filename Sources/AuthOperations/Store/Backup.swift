public import AuthSettings
internal import AuthStore
internal import SQLStore
internal import Time

/// Copies and restores a SQLite store. PostgreSQL has its own tools.
///
/// A copy is sealed like the store: without the vault it reveals little. Keep a copy of the vault in another place.
public enum Backup {
    /// The contents of a copy.
    public struct Report: Equatable, Sendable {
        /// The number of accounts in the copy.
        public let accounts: Int64
        /// The number of sessions in the copy.
        public let sessions: Int64

        init(_ counts: AuthTables.Counts) {
            accounts = counts.accounts
            sessions = counts.sessions
        }
    }

    /// Copies the store while the server runs. The copy is complete and checked; after an error no file is left.
    ///
    /// - Parameter path: an absolute path where no file exists.
    /// - Throws: `StartupError.noSQLite`, `StartupError.noStore`, ``OperationFailure`` about the copy.
    public static func make(_ configuration: ServerConfiguration, home: ServerHome, at path: String) async throws
        -> Report
    {
        let store = try storePath(configuration, home)
        guard home.hasFile(store) else { throw StartupError.noStore(store) }
        let database = try await SQLiteDatabase(at: store)
        do {
            let report = try await SQLiteBackup.make(of: database, at: path, holding: AuthTables.contents)
            await database.close()
            return Report(report.counts)
        } catch {
            await database.close()
            throw OperationFailure(error, file: path)
        }
    }

    /// Restores a copy to the place of the store. The server must not run, and no store may exist there: move an old
    /// one away first.
    ///
    /// - Throws: `StartupError.noSQLite`, ``OperationFailure`` about the copy, or about a file in its way.
    public static func restore(
        _ copy: String, _ configuration: ServerConfiguration, home: ServerHome
    ) async throws -> Report {
        let store = try storePath(configuration, home)
        for path in SQLiteBackup.companions.map({ store + $0 }) where home.hasFile(path) {
            throw OperationFailure(
                .unwritable, "already_exists", "\(path): is there already, and is left as it is",
                hint: "stop the server, and move it away with all files whose names begin with \(store)")
        }
        do {
            _ = try await SQLiteBackup.check(copy, holding: AuthTables.contents)
        } catch {
            throw OperationFailure(error, file: copy)
        }
        let report = try await AuthTables.restore(copy, to: store, at: .now())
        return Report(report.counts)
    }

    private static func storePath(
        _ configuration: ServerConfiguration, _ home: ServerHome
    ) throws(StartupError) -> String {
        guard case .sqlite(let name) = configuration.store else { throw .noSQLite }
        return home.absolute(name)
    }
}
