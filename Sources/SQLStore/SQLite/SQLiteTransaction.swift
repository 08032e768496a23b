internal import GRDB
internal import GRDBSQLite

/// Runs statements on a connection that is inside of a transaction. Belongs to the thread that the connection belongs to.
///
/// GRDB opens the file, keeps the connections, and prepares and keeps the statements. Values go in and out by SQLite's own
/// calls: that costs a third of what GRDB's rows and arguments do, and writes are what limits the server.
final class SQLiteTransaction: Transaction {
    private let statements: SQLiteStatements
    private let handle: OpaquePointer
    private(set) var changes = 0
    /// The error that ended it: that of the first failed statement, or `transactionIsOver` after its end.
    private(set) var ending: StoreError?

    init(_ statements: SQLiteStatements) throws(StoreError) {
        guard let handle = statements.connection.sqliteConnection else { throw .unavailable }
        self.statements = statements
        self.handle = handle
    }

    convenience init(_ connection: GRDB.Database) throws(StoreError) {
        try self.init(SQLiteStatements(of: connection))
    }

    /// Ends the transaction: later statements throw.
    func end() { ending = ending ?? .transactionIsOver }

    /// Whether SQLite has rolled the transaction back on its own, as it may after a disk error.
    var isGone: Bool { sqlite3_get_autocommit(handle) != 0 }

    func run(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> [SQLRow] {
        if let ending { throw ending }
        do {
            return try unguarded(sql, values)
        } catch {
            ending = error
            throw error
        }
    }

    /// Also after a statement has failed: for savepoints, beginning and end.
    func unguarded(_ sql: SQL, _ values: [SQLValue] = []) throws(StoreError) -> [SQLRow] {
        let statement = try statements.prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        try bind(values, to: statement)
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(Self.row(statement))
            case SQLITE_DONE:
                changes = Int(sqlite3_changes(handle))
                return rows
            case let code: throw StoreError(sqlite: code)
            }
        }
    }

    func define(_ definition: Definition) throws(StoreError) {
        if let ending { throw ending }
        do {
            try statements.connection.execute(sql: definition.text(.sqlite))
        } catch {
            let error = StoreError(error)
            ending = error
            throw error
        }
    }

    /// Nothing to do: every write begins by taking the one lock of the database for writing.
    func waitForMigrations() throws(StoreError) {
        if let ending { throw ending }
    }

    private func bind(_ values: [SQLValue], to statement: OpaquePointer) throws(StoreError) {
        // SQLite would take null for a value that is missing.
        guard Int(sqlite3_bind_parameter_count(statement)) == values.count else {
            throw .failed(code: "parameter count")
        }
        for (position, value) in values.enumerated() {
            guard value.isStorable else { throw .unstorable }
            let position = Int32(position + 1)
            let code =
                switch value {
                case .integer(let integer): sqlite3_bind_int64(statement, position, integer)
                case .null: sqlite3_bind_null(statement, position)
                case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(statement, position, 0)
                case .bytes(let bytes):
                    sqlite3_bind_blob(statement, position, bytes, Int32(bytes.count), Self.copied)
                case .text(var text):
                    text.withUTF8 { utf8 in
                        utf8.withMemoryRebound(to: CChar.self) { characters in
                            sqlite3_bind_text(
                                statement, position, characters.baseAddress ?? Self.nothing, Int32(characters.count),
                                Self.copied)
                        }
                    }
                }
            guard code == SQLITE_OK else { throw StoreError(sqlite: code) }
        }
    }

    /// Makes SQLite copy the bytes: `SQLITE_TRANSIENT`, which Swift does not import.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// An empty text needs an address too, or it would be null.
    nonisolated(unsafe) private static let nothing: UnsafePointer<CChar> = {
        let nothing = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        nothing.initialize(to: 0)
        return UnsafePointer(nothing)
    }()

    private static func row(_ statement: OpaquePointer) -> SQLRow {
        SQLRow(
            (0..<sqlite3_column_count(statement)).map { column in
                switch sqlite3_column_type(statement, column) {
                case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
                case SQLITE_BLOB:
                    let count = Int(sqlite3_column_bytes(statement, column))
                    guard count > 0, let start = sqlite3_column_blob(statement, column) else { return .bytes([]) }
                    return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
                case SQLITE_TEXT:
                    guard let start = sqlite3_column_text(statement, column) else { return .text("") }
                    let count = Int(sqlite3_column_bytes(statement, column))
                    return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
                // Null. No table has numbers with a point in them: STRICT refuses them.
                default: return .null
                }
            })
    }
}

/// The prepared statements of a connection, found by the place of their text in the program. GRDB keeps them too, and finds them
/// by their text, which takes longer than some of them run.
final class SQLiteStatements {
    let connection: GRDB.Database
    private var statements: [SQL.Place: Statement] = [:]

    init(of connection: GRDB.Database) { self.connection = connection }

    func prepared(_ sql: SQL) throws(StoreError) -> OpaquePointer {
        let place = sql.place
        if let known = statements[place] { return known.sqliteStatement }
        do {
            let statement = try connection.cachedStatement(sql: sql.text)
            statements[place] = statement
            return statement.sqliteStatement
        } catch {
            throw StoreError(error)
        }
    }
}

extension StoreError {
    /// Converts an error of GRDB.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as GRDB.DatabaseError: self.init(sqlite: error.extendedResultCode.rawValue)
        default: self = .failed(code: "GRDB")
        }
    }

    /// Converts a result code of SQLite: https://www.sqlite.org/rescode.html
    init(sqlite code: Int32) {
        switch code & 0xff {
        case SQLITE_FULL: self = .diskFull
        case SQLITE_BUSY, SQLITE_LOCKED: self = .overloaded
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
        // A closed connection is misuse to GRDB.
        case SQLITE_CANTOPEN, SQLITE_MISUSE: self = .unavailable
        case SQLITE_INTERRUPT: self = .timedOut
        case SQLITE_TOOBIG: self = .unstorable
        case SQLITE_CONSTRAINT: self = .conflict
        default: self = .failed(code: "SQLite \(code)")
        }
    }
}
