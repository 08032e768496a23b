/// A transaction on the database: it happens as a whole, or not at all. It ends with its closure.
///
/// A failed statement ends the transaction: even if the closure catches the error, the transaction throws it, and
/// nothing has happened.
package protocol Transaction: AnyObject {
    /// Runs a statement.
    ///
    /// - Parameter values: the values of `$1`, `$2` and so on, one for each placeholder of the statement.
    /// - Returns: the rows that it found, or those of RETURNING.
    func run(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> [SQLRow]

    /// The number of rows that the last statement added, changed or removed.
    var changes: Int { get }

    /// Runs a statement of a migration.
    func define(_ definition: Definition) throws(StoreError)

    /// Waits until no other program runs migrations; others then wait for the end of this transaction.
    func waitForMigrations() throws(StoreError)
}

extension Transaction {
    /// Returns the first row; nil if there is none.
    package func first(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> SQLRow? { try run(sql, values).first }

    /// Runs a statement and returns the number of rows that it added, changed or removed.
    @discardableResult
    package func change(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int {
        _ = try run(sql, values)
        return changes
    }
}

/// The database of a server: SQLite or PostgreSQL.
package protocol Database: Sendable {
    /// Reads one state of the database, which no write changes meanwhile.
    ///
    /// - Throws: the errors of `body`, or a ``StoreError``.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value

    /// Reads and writes. When it returns, the changes are durable.
    ///
    /// The body may be run again if the database ended its transaction because of a conflict: it must only use the
    /// transaction and return. Between two of its statements another transaction may commit (not with SQLite): a
    /// condition that depends on an earlier read belongs into the statement.
    ///
    /// - Throws: the errors of `body`, or a ``StoreError``; then nothing has changed, except with
    ///   ``StoreError/outcomeUnknown``.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value

    /// Removes deleted data from the database's log as well, within moments and without delaying others. PostgreSQL
    /// keeps its own log as its settings say.
    func forgetDeleted()

    /// The load of the store. Returns at once, whatever the store is doing.
    var load: StoreLoad { get }

    /// Waits for running work, and closes the database. Later calls throw ``StoreError/unavailable``.
    func close() async
}
