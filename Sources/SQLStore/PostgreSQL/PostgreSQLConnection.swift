internal import CPostgres
internal import Crypto
internal import Encoding
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The last connection error of libpq, for the operator. It may name hosts, users and databases.
final class PostgreSQLComplaint: Sendable {
    let text = Mutex<String?>(nil)
}

/// A connection that is made when needed, and again when it was lost. One transaction uses it at a time.
///
/// libpq's blocking calls have no time limit: a stopped server, or a network that drops packets, would block for ever.
/// So statements are sent by the non-blocking calls, and this type waits for the answers, as long as ``patience``
/// lasts.
final class PostgreSQLConnection {
    private let address: PostgreSQLAddress
    private let limits: [(name: StaticString, milliseconds: Int64)]
    private var handle: OpaquePointer?
    /// The names of prepared statements, by the addresses of their literals.
    private var prepared: [SQL.Place: String] = [:]
    /// The remaining time to wait for the server's answers, in nanoseconds.
    var patience: UInt64 = 0
    private let complaint: PostgreSQLComplaint

    /// - Parameters:
    ///   - statementMilliseconds: the maximum duration of a statement.
    ///   - lockMilliseconds: the maximum wait for a lock.
    ///   - idleMilliseconds: the time after which the server ends a transaction that does nothing.
    ///   - complaint: receives libpq's error if no connection can be made.
    init(
        to address: PostgreSQLAddress, statementMilliseconds: Int64, lockMilliseconds: Int64, idleMilliseconds: Int64,
        complaint: PostgreSQLComplaint
    ) {
        self.address = address
        self.complaint = complaint
        limits = [
            ("statement_timeout", statementMilliseconds), ("lock_timeout", lockMilliseconds),
            ("idle_in_transaction_session_timeout", idleMilliseconds),
        ]
    }

    deinit { disconnect() }

    func disconnect() {
        PQfinish(handle)
        handle = nil
        prepared = [:]
    }

    var isLost: Bool { handle == nil || PQstatus(handle) != CONNECTION_OK }

    /// Whether a transaction is open, or has failed and must be ended.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// Connects, unless it is connected.
    func connect() throws(PostgreSQLFailure) {
        guard isLost else { return }
        try open()
        do throws(PostgreSQLFailure) {
            for limit in limits {
                _ = try run(
                    "SELECT set_config($1, $2, false)", [.text("\(limit.name)"), .text("\(limit.milliseconds)")])
            }
            // Whatever the server's settings are: a commit is answered after its flush.
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

    /// A session of the server: its process, and the start of its server.
    struct Session: Equatable {
        let process: Int32
        let start: String
    }

    /// The process with which the connection began. A pooler tells another number.
    var process: Int32 { PQbackendPID(handle) }

    /// Returns the session that answers. Connects first, unless it is connected.
    func session() throws(PostgreSQLFailure) -> Session {
        if handle == nil { try open() }
        // The simple protocol, and no prepared statement: those are what a pooler mixes up.
        let result = try answer {
            PQsendQuery(handle, "SELECT pg_backend_pid(), extract(epoch FROM pg_postmaster_start_time())")
        }
        defer { PQclear(result) }
        try check(result)
        guard PQntuples(result) == 1, PQnfields(result) == 2,
            let process = PQgetvalue(result, 0, 0).flatMap({ Int32(String(cString: $0)) }),
            let start = PQgetvalue(result, 0, 1)
        else { throw .lost }
        return Session(process: process, start: String(cString: start))
    }

    private func open() throws(PostgreSQLFailure) {
        disconnect()
        // The address's own options come later and take precedence.
        let words = [
            ("connect_timeout", "\(StoreLimits.connectSeconds)"), ("tcp_user_timeout", "10000"),
            ("application_name", "fueki"), ("ssl_min_protocol_version", "TLSv1.3"),
            // Of several servers, the one that accepts writes: a standby refuses them.
            ("target_session_attrs", "read-write"), ("dbname", address.text), ("client_encoding", "UTF8"),
        ]
        let connection = spending {
            Self.withCStrings(words.map(\.0)) { names in
                Self.withCStrings(words.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
            }
        }
        guard let connection else { throw .lost }
        guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0 else {
            complaint.text.withLock { $0 = PQerrorMessage(connection).map { String(cString: $0) } }
            PQfinish(connection)
            throw .lost
        }
        handle = connection
        // libpq would print the server's notices.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
    }

    /// Runs a statement without values, such as `BEGIN`.
    func tell(_ statement: StaticString) throws(PostgreSQLFailure) {
        let result = try answer { PQsendQuery(handle, Self.characters(statement)) }
        defer { PQclear(result) }
        try check(result)
    }

    /// Runs a statement of a migration.
    func define(_ definition: Definition) throws(PostgreSQLFailure) {
        let text = definition.text(.postgreSQL)
        let result = try answer { text.withCString { PQsendQuery(handle, $0) } }
        defer { PQclear(result) }
        try check(result)
    }

    /// Runs a statement, prepared the first time.
    func run(_ sql: SQL, _ values: [SQLValue]) throws(PostgreSQLFailure) -> (rows: [SQLRow], changes: Int) {
        let bound: PostgreSQLValues
        do throws(StoreError) { bound = try PostgreSQLValues(values) } catch { throw PostgreSQLFailure(error) }
        let name = try name(of: sql)
        let result = try answer {
            bound.withPointers { count, values, lengths, formats in
                PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
            }
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
        let place = sql.place
        if let name = prepared[place] { return name }
        let text = sql.text
        // The name says which statement it is: behind a pooler, a name that is only counted would run another connection's.
        let name = "s" + Hex.encode(Array(SHA256.hash(data: Array(text.utf8)).prefix(16)))
        // The same text also stands elsewhere in the program.
        if !prepared.values.contains(name) {
            let result = try answer { PQsendPrepare(handle, name, text, 0, nil) }
            defer { PQclear(result) }
            try check(result)
        }
        prepared[place] = name
        return name
    }

    // MARK: - Waiting

    /// Sends a statement and returns the server's answer, which the caller clears.
    ///
    /// - Parameter send: writes the statement into libpq's buffer; returns 1 on success.
    /// - Throws: ``PostgreSQLFailure/lost`` if the connection is lost, or the time is over: then the connection is
    ///   unusable.
    private func answer(to send: () -> Int32) throws(PostgreSQLFailure) -> OpaquePointer? {
        guard handle != nil, send() == 1 else { throw .lost }
        var unsent = PQflush(handle)
        while unsent == 1 {
            // While data are left to send, the server may wait until its answer is read.
            try wait(for: Int16(POLLIN | POLLOUT))
            guard PQconsumeInput(handle) == 1 else { throw .lost }
            unsent = PQflush(handle)
        }
        guard unsent == 0 else { throw .lost }
        var last: OpaquePointer?
        do throws(PostgreSQLFailure) {
            while true {
                while PQisBusy(handle) == 1 {
                    try wait(for: Int16(POLLIN))
                    guard PQconsumeInput(handle) == 1 else { throw .lost }
                }
                guard let next = PQgetResult(handle) else { return last }
                PQclear(last)
                last = next
            }
        } catch {
            PQclear(last)
            throw error
        }
    }

    /// Waits until libpq's socket can be read or written.
    ///
    /// - Throws: ``PostgreSQLFailure/lost`` when the time is over: the connection is closed, since a late answer may
    ///   arrive.
    private func wait(for events: Int16) throws(PostgreSQLFailure) {
        var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
        while true {
            let limit = Int32(clamping: (patience + 999_999) / 1_000_000)
            let count = patience == 0 ? 0 : spending { poll(&socket, 1, limit) }
            if count > 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count == 0, patience > 0 else {
                disconnect()
                throw .lost
            }
        }
    }

    /// Subtracts the body's duration from ``patience``.
    private func spending<Result>(_ body: () -> Result) -> Result {
        let start = Self.nanoseconds
        let result = body()
        let spent = Self.nanoseconds &- start
        patience = spent < patience ? patience - spent : 0
        return result
    }

    private static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Checks the result of a statement.
    ///
    /// - Throws: the server's error for the statement, or the error of a missing server.
    private func check(_ result: OpaquePointer?) throws(PostgreSQLFailure) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return
        default:
            // The message would repeat values; the code does not. 'C' is PG_DIAG_SQLSTATE.
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
