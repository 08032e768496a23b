internal import CPostgres

/// A connection, made when it is needed and made again when it was lost. One transaction uses it at a time.
final class PostgreSQLConnection {
    private let address: PostgreSQLAddress
    private let limits: [(name: StaticString, milliseconds: Int64)]
    private var handle: OpaquePointer?
    /// The names of what was prepared, by where the literal of the statement lies.
    private var prepared: [UInt: String] = [:]

    /// - Parameter statementMilliseconds: how long a statement may take.
    init(to address: PostgreSQLAddress, statementMilliseconds: Int64) {
        self.address = address
        limits = [
            ("statement_timeout", statementMilliseconds), ("lock_timeout", StoreLimits.lockMilliseconds),
            ("idle_in_transaction_session_timeout", StoreLimits.idleTransactionMilliseconds),
        ]
    }

    deinit { disconnect() }

    func disconnect() {
        PQfinish(handle)
        handle = nil
        prepared = [:]
    }

    var isLost: Bool { handle == nil || PQstatus(handle) != CONNECTION_OK }

    /// Whether a transaction is open, or has failed and waits for its end.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// Connects, unless it is connected.
    func connect() throws(PostgreSQLFailure) {
        guard isLost else { return }
        disconnect()
        // What the address says comes after what is said before it, and counts.
        let words = [
            ("connect_timeout", "\(StoreLimits.connectSeconds)"), ("tcp_user_timeout", "10000"),
            ("application_name", "fueki"), ("ssl_min_protocol_version", "TLSv1.3"), ("dbname", address.text),
            ("client_encoding", "UTF8"),
        ]
        let connection = Self.withCStrings(words.map(\.0)) { names in
            Self.withCStrings(words.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let connection else { throw .lost }
        guard PQstatus(connection) == CONNECTION_OK else {
            PQfinish(connection)
            throw .lost
        }
        handle = connection
        // libpq would print what the server remarks.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        do throws(PostgreSQLFailure) {
            for limit in limits {
                _ = try run(
                    "SELECT set_config($1, $2, false)", [.text("\(limit.name)"), .text("\(limit.milliseconds)")])
            }
            // Whatever the server's settings say: a commit is answered after its flush.
            _ = try run(
                """
                SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') IN ('off', 'local')
                """, [])
        } catch {
            disconnect()
            throw error
        }
    }

    /// Runs a statement without values, such as `BEGIN`.
    func tell(_ statement: StaticString) throws(PostgreSQLFailure) {
        let result = PQexec(handle, Self.characters(statement))
        defer { PQclear(result) }
        try check(result)
    }

    /// Runs a statement of a migration.
    func define(_ definition: Definition) throws(PostgreSQLFailure) {
        let text = definition.text(.postgreSQL)
        let result = text.withCString { PQexec(handle, $0) }
        defer { PQclear(result) }
        try check(result)
    }

    /// Runs a statement, prepared the first time.
    func run(_ sql: SQL, _ values: [SQLValue]) throws(PostgreSQLFailure) -> (rows: [SQLRow], changes: Int) {
        let bound: PostgreSQLValues
        do throws(StoreError) { bound = try PostgreSQLValues(values) } catch { throw PostgreSQLFailure(error) }
        let name = try name(of: sql)
        let result = bound.withPointers { count, values, lengths, formats in
            PQexecPrepared(handle, name, count, values, lengths, formats, 1)
        }
        defer { PQclear(result) }
        try check(result)
        guard let result else { throw .lost }
        let changes = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        do throws(StoreError) {
            return (try PostgreSQLRows.read(result), changes)
        } catch {
            throw PostgreSQLFailure(error)
        }
    }

    private func name(of sql: SQL) throws(PostgreSQLFailure) -> String {
        if let name = prepared[sql.place] { return name }
        let name = "s\(prepared.count)"
        let result = PQprepare(handle, name, Self.characters(sql.text), 0, nil)
        defer { PQclear(result) }
        try check(result)
        prepared[sql.place] = name
        return name
    }

    /// - Throws: what the server, or the lack of one, says of the statement.
    private func check(_ result: OpaquePointer?) throws(PostgreSQLFailure) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return
        default:
            // Its message would repeat values; its code does not. 'C' is PG_DIAG_SQLSTATE.
            let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
            guard let state, !isLost else { throw .lost }
            throw PostgreSQLFailure(state: state)
        }
    }

    private static func characters(_ text: StaticString) -> UnsafePointer<CChar> {
        // Static strings end with a zero.
        UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Calls `body` with a list of texts that ends with nil.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let storage = texts.map { Array($0.utf8CString) }
        var flat: [CChar] = []
        let offsets = storage.map { text in
            defer { flat += text }
            return flat.count
        }
        return flat.withUnsafeBufferPointer { flat in
            let pointers = offsets.map { flat.baseAddress?.advanced(by: $0) } + [nil]
            return pointers.withUnsafeBufferPointer { pointers in
                guard let first = pointers.baseAddress else {
                    preconditionFailure("a list that ends with nil is not empty")
                }
                return body(first)
            }
        }
    }
}
