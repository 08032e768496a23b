/// A transaction on a connection.
final class PostgreSQLTransaction: Transaction {
    private let connection: PostgreSQLConnection
    private(set) var changes = 0
    /// The error that ended it: of the first failed statement, or of its end.
    private(set) var ending: PostgreSQLFailure?

    init(on connection: PostgreSQLConnection) { self.connection = connection }

    /// Ends the transaction: no further statement runs.
    func end() { ending = ending ?? PostgreSQLFailure(.transactionIsOver) }

    func run(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> [SQLRow] {
        try guarded { () throws(PostgreSQLFailure) in
            let outcome = try connection.run(sql, values)
            changes = outcome.changes
            return outcome.rows
        }
    }

    func define(_ definition: Definition) throws(StoreError) {
        try guarded { () throws(PostgreSQLFailure) in try connection.define(definition) }
    }

    /// Takes an advisory lock for the whole transaction. The number is the program's own.
    func waitForMigrations() throws(StoreError) {
        try guarded { () throws(PostgreSQLFailure) in
            // Another server's migrations may take longer than a request should.
            connection.patience = StoreLimits.migrationNanoseconds
            try connection.tell("SET LOCAL statement_timeout = '300s'")
            try connection.tell("SET LOCAL lock_timeout = '300s'")
            _ = try connection.run("SELECT pg_advisory_xact_lock(8387223456789)", [])
        }
    }

    private func guarded<Value>(_ body: () throws(PostgreSQLFailure) -> Value) throws(StoreError) -> Value {
        if let ending { throw ending.error }
        do throws(PostgreSQLFailure) {
            return try body()
        } catch {
            ending = error
            throw error.error
        }
    }
}
