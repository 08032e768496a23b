import StoreTestSupport
import TestSupport
import Testing

@testable import SQLStore

@Suite(
    "PostgreSQL behind PgBouncer", .timeLimit(.minutes(20)),
    .enabled(if: Peer.pgBouncer.isExpected, "\(Peer.pgBouncer.absence)"))
struct SessionSharingTests {
    /// A database behind a pooler, and the address of the pooler for it.
    private static func address(_ mode: String, _ server: PostgreSQL) throws -> PostgreSQLAddress {
        let own = try server.makeDatabase()
        let name = try #require(own.split(separator: "=").last)
        return try PostgreSQLAddress(
            "host=\(try server.startPooler(mode)) user=fueki dbname=\(name) connect_timeout=\(Patience.seconds)")
    }

    private static func database(at address: PostgreSQLAddress) async throws -> PostgreSQLDatabase {
        try await PostgreSQLDatabase(
            at: address, connections: 2, statementMilliseconds: 600_000, lockMilliseconds: 600_000,
            idleMilliseconds: 600_000, patienceMilliseconds: 3_600_000)
    }

    @Test("a pooler that shares sessions is refused", arguments: ["transaction", "statement"])
    func shared(_ mode: String) async throws {
        let server = try PostgreSQL()
        let address = try Self.address(mode, server)
        for _ in 0..<3 {
            await #expect(throws: StoreError.sharedSessions) {
                _ = try await Self.database(at: address)
            }
        }
    }

    @Test("a pooler that gives each connection its own session works")
    func session() async throws {
        let server = try PostgreSQL()
        let address = try Self.address("session", server)
        for _ in 0..<5 {
            let database = try await Self.database(at: address)
            #expect(try await database.read { try $0.first("SELECT 7", [])?.integer(0) } == 7)
            await database.close()
        }
    }

    /// If the pooler was not noticed: a statement has a name of its own, and is never taken for another one.
    @Test("a statement that another connection prepared in the same session is not run in place of one's own")
    func foreignStatement() async throws {
        let server = try PostgreSQL()
        let address = try Self.address("transaction", server)
        let complaint = PostgreSQLComplaint()
        let connections = (0..<2).map { _ in
            let connection = PostgreSQLConnection(
                to: address, statementMilliseconds: 600_000, lockMilliseconds: 600_000, idleMilliseconds: 600_000,
                complaint: complaint)
            connection.patience = UInt64(Patience.seconds) * 1_000_000_000
            return connection
        }
        for connection in connections { _ = try connection.session() }
        // Both are the first statements of their connections, in sessions of their own as long as the transactions last.
        for connection in connections { try connection.tell("BEGIN") }
        #expect(try connections[0].run("SELECT 0", []).rows.first?.integer(0) == 0)
        #expect(try connections[1].run("SELECT 1", []).rows.first?.integer(0) == 1)
        for connection in connections { try connection.tell("COMMIT") }
        // The pooler gives the session that came back last to the next connection.
        do throws(PostgreSQLFailure) {
            let rows = try connections[0].run("SELECT 0", []).rows
            let answer = try? rows.first?.integer(0)
            #expect(answer == 0)
        } catch {
            // The session does not know the statement.
            #expect(error == .lost)
        }
        for connection in connections { connection.disconnect() }
    }
}
