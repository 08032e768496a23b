/// Work on the database that happens as a whole, or not at all. It ends with the closure that was given it.
///
/// A statement that fails ends the transaction: whatever the closure makes of the error, the transaction throws it, and
/// nothing has happened.
package protocol Transaction: AnyObject {
    /// Runs a statement.
    ///
    /// - Parameter values: what `$1`, `$2` and so on stand for, as many as the statement names.
    /// - Returns: the rows that it found, or that it names after RETURNING.
    func run(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> [SQLRow]

    /// How many rows the last statement has added, changed or removed.
    var changes: Int { get }

    /// Runs a statement of a migration.
    func define(_ definition: Definition) throws(StoreError)

    /// Waits until no other program is at its migrations; they then wait for the end of this transaction.
    func waitForMigrations() throws(StoreError)
}

extension Transaction {
    /// The first row.
    package func first(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> SQLRow? { try run(sql, values).first }

    /// Runs a statement and says how many rows it has added, changed or removed.
    @discardableResult
    package func change(_ sql: SQL, _ values: [SQLValue]) throws(StoreError) -> Int {
        _ = try run(sql, values)
        return changes
    }
}

/// The database of a server: SQLite or PostgreSQL.
package protocol Database: Sendable {
    /// Reads, in one state of the database, that no write changes meanwhile.
    ///
    /// - Throws: what `body` throws, or a ``StoreError``.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value

    /// Reads and writes. When it returns, what was written outlasts a loss of power.
    ///
    /// The body may be run again if the database ended its transaction for another's sake: it must do nothing but use the
    /// transaction and return. Between two of its statements another transaction may commit (not so with SQLite): what
    /// depends on an earlier look belongs into the condition of the statement.
    ///
    /// - Throws: what `body` throws, or a ``StoreError``; nothing has changed then, but for ``StoreError/outcomeUnknown``.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value

    /// Has what was deleted removed from the database's log as well, within moments and not while others wait for it. PostgreSQL
    /// keeps its own log as long as its settings say.
    func forgetDeleted()

    /// How busy it is. Answers at once, whatever the store is doing.
    var load: StoreLoad { get }

    /// Waits for what has begun, and lets go of the database. Later calls throw ``StoreError/unavailable``.
    func close() async
}
