internal import Foundation

/// A real PostgreSQL server with an empty cluster, on a unix socket of this machine. It ends with this value, and with
/// this process.
///
/// See `scripts/peers/postgresql`, which starts it.
public final class PostgreSQL: @unchecked Sendable {
    // `@unchecked`: no property changes after `init`.

    private let program: Leashed
    /// The folder of its socket.
    private let socketFolder: String

    /// Starts it and waits until it answers, which takes seconds.
    public init() throws {
        let program = try Leashed("\(Repository.path)/scripts/peers/postgresql") { ["\($0)/pg"] }
        socketFolder = String(try program.greeting().dropFirst("ready ".count))
        self.program = program
    }

    /// The server for all tests of this process that do not stop it. It ends with the process.
    public static var shared: Result<PostgreSQL, any Error> {
        _ = removal
        return sharedServer
    }

    private static let sharedServer = Result { try PostgreSQL() }

    /// A shared value is never released, so its folder would stay.
    private static let removal = atexit {
        if let server = try? sharedServer.get() {
            try? FileManager.default.removeItem(atPath: server.program.folder.path)
        }
    }

    static var isInstalled: Bool {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return Peer.path(of: "initdb") != nil
            || versions.contains {
                FileManager.default.isExecutableFile(atPath: "/usr/lib/postgresql/\($0)/bin/initdb")
            }
    }

    /// Makes an empty database.
    ///
    /// - Returns: its address, in libpq's form.
    public func makeDatabase() throws -> String {
        let name = "fueki_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        try ask("CREATE DATABASE \(name)")
        return "host=\(socketFolder) user=fueki dbname=\(name)"
    }

    /// Runs a statement as the owner of the cluster, and returns the output of `psql`.
    ///
    /// - Parameter address: the database, from ``makeDatabase()``; the first one by default.
    @discardableResult
    public func ask(_ statement: String, in address: String? = nil) throws -> String {
        try Program.output(
            "\(program.folder.path)/pg/psql", (address.map { ["-d", $0] } ?? []) + ["-A", "-t", "-c", statement])
    }

    /// Starts a standby: a copy that follows and accepts no writes.
    ///
    /// - Returns: the folder of its socket, for `host=`.
    public func startStandby() throws -> String {
        try Program.output("\(program.folder.path)/pg/standby", [])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes the standby accept writes.
    public func promoteStandby() throws { _ = try Program.output("\(program.folder.path)/pg/promote", []) }

    /// Starts PgBouncer before it, in the mode `session`, `transaction` or `statement`.
    ///
    /// - Returns: the folder of PgBouncer's socket, for `host=`.
    public func startPooler(_ mode: String) throws -> String {
        try Program.output("\(program.folder.path)/pg/pooler", [mode]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends it like a loss of power.
    public func crash() throws {
        _ = try Program.output("\(program.folder.path)/pg/pg_ctl", ["stop", "-m", "immediate"])
    }

    /// Ends it like a loss of power, and starts it again with the data on the disk.
    public func crashAndRestart() throws {
        _ = try Program.output("\(program.folder.path)/pg/pg_ctl", ["restart", "-m", "immediate"])
    }
}
