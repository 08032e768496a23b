internal import AuthAPI
internal import Encoding
internal import Testing

@testable internal import AuthServer
@testable internal import SQLStore

/// The contents of the store, table by table.
struct TableDump: Equatable, Sendable {
    var rows: [String: [SQLRow]] = [:]

    private static let tables: [(name: String, all: SQL)] = [
        ("accounts", "SELECT * FROM accounts ORDER BY account_id"),
        ("fido_credentials", "SELECT * FROM fido_credentials ORDER BY credential_id"),
        ("devices", "SELECT * FROM devices ORDER BY device_id"),
        ("refresh_tokens", "SELECT * FROM refresh_tokens ORDER BY family_id"),
        ("device_attestations", "SELECT * FROM device_attestations ORDER BY device_id"),
        ("recovery_codes", "SELECT * FROM recovery_codes ORDER BY selector"),
        ("invitations", "SELECT * FROM invitations ORDER BY code_hash"),
        ("spent_values", "SELECT * FROM spent_values ORDER BY value"),
        ("revoked_access_tokens", "SELECT * FROM revoked_access_tokens ORDER BY token_id"),
        ("rate_limits", "SELECT * FROM rate_limits ORDER BY bucket"),
        ("server_keys", "SELECT * FROM server_keys ORDER BY key_id"),
        ("audit_queue", "SELECT * FROM audit_queue ORDER BY log, number, event_id"),
        ("log_states", "SELECT * FROM log_states ORDER BY log"),
        ("security_events", "SELECT * FROM security_events ORDER BY event_id"),
    ]
    static var names: Set<String> { Set(tables.map(\.name)) }
    /// The tables that refused requests change, to count requests and spend proofs.
    private static let counters: Set<String> = ["spent_values", "rate_limits"]

    /// All tables except limits and spent values.
    static func lasting(in server: TestServer) async throws -> TableDump {
        var dump = try await all(in: server, except: counters)
        // The limit of a session's refreshes is in the last two columns of its row.
        dump.rows["refresh_tokens"] = dump.rows["refresh_tokens"]?.map { SQLRow($0.values.dropLast(2)) }
        return dump
    }

    static func all(in server: TestServer, except: Set<String> = []) async throws -> TableDump {
        let tables = tables.filter { !except.contains($0.name) }
        return try await server.database.read { transaction in
            var dump = TableDump()
            for table in tables { dump.rows[table.name] = try transaction.run(table.all, []) }
            return dump
        }
    }

    /// The names of the tables in which the two differ.
    func changed(since earlier: TableDump) -> Set<String> {
        Set(rows.keys.filter { rows[$0] != earlier.rows[$0] })
    }

    /// All values in one byte array, for searches.
    var bytes: [UInt8] {
        rows.values.flatMap { $0 }.flatMap { row in
            row.values.flatMap { value -> [UInt8] in
                switch value {
                case .bytes(let bytes): bytes
                case .text(let text): Array(text.utf8)
                case .integer, .null: []
                }
            }
        }
    }
}

extension TestServer {
    /// The kinds of events, with the number of each.
    func events() async throws -> [String: Int] {
        try await database.read { transaction in
            var counts: [String: Int] = [:]
            for row in try transaction.run("SELECT kind FROM security_events", []) {
                counts[try row.text(0), default: 0] += 1
            }
            return counts
        }
    }

    /// Runs `body`, expects this refusal, and checks that only limits and spent values have changed.
    func refuses(
        _ problem: Problem, changing tables: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await TableDump.lasting(in: self)
        await #expect(throws: problem, sourceLocation: sourceLocation) { try await body() }
        let after = try await TableDump.lasting(in: self)
        #expect(after.changed(since: before) == tables, sourceLocation: sourceLocation)
    }
}
