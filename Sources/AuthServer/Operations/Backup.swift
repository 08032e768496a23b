internal import AuthAPI

/// Copies of a SQLite store. PostgreSQL has its own tools.
///
/// A copy is sealed as the store is: without the vault it says little. Keep the vault's copy elsewhere.
public enum Backup {
    /// What a copy holds.
    public struct Report: Equatable, Sendable {
        public let accounts: Int64
        public let sessions: Int64
    }

    /// Copies the store, while the server runs: the copy is complete and checked, or there is none.
    ///
    /// - Throws: ``StartupError/noSQLite``, and what is wrong with the store or the place.
    public static func make(_ configuration: ServerConfiguration, home: ServerHome, at path: String) async throws
        -> Report
    {
        let database = try await SQLiteDatabase(at: try storePath(configuration, home))
        do {
            try await SQLiteBackup.make(of: database, at: path)
            await database.close()
        } catch {
            await database.close()
            throw error
        }
        let report = try await SQLiteBackup.check(path)
        return Report(accounts: report.accounts, sessions: report.sessions)
    }

    /// Puts a copy where the store belongs. The server must not run, and there must be no store: move it away first.
    public static func restore(
        _ copy: String, _ configuration: ServerConfiguration, home: ServerHome
    ) async throws -> Report {
        let report = try await SQLiteBackup.restore(copy, to: try storePath(configuration, home), at: .now())
        return Report(accounts: report.accounts, sessions: report.sessions)
    }

    private static func storePath(
        _ configuration: ServerConfiguration, _ home: ServerHome
    ) throws(StartupError) -> String {
        guard case .sqlite(let name) = configuration.store else { throw .noSQLite }
        return home.absolute(name)
    }
}
