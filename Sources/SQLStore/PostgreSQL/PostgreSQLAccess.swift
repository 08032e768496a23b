#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How a transaction is begun, ended, and repeated.
enum PostgreSQLAccess: Sendable {
    /// Reading one state of the database, as SQLite does.
    case reading
    case writing

    /// Runs `body` in a transaction. It is repeated if it conflicted with another one, or if the connection was lost
    /// before the commit.
    ///
    /// - Parameter patience: the time for all attempts together to wait for the server, in nanoseconds.
    /// - Throws: the errors of `body`, or a ``StoreError``.
    func run<Value>(
        _ body: (any Transaction) throws -> Value, on connection: PostgreSQLConnection, patience: UInt64
    ) throws -> Value {
        connection.patience = patience
        var pause = StoreLimits.firstPauseMicroseconds
        var attempt = 1
        while true {
            let outcome: Result<Value, any Error>
            do throws(PostgreSQLFailure) {
                outcome = try once(body, on: connection)
            } catch {
                guard error.mayRetry, attempt < StoreLimits.attempts, connection.patience > 0 else { throw error.error }
                attempt += 1
                usleep(pause)
                pause *= 2
                continue
            }
            return try outcome.get()
        }
    }

    /// Runs a body in one transaction.
    ///
    /// - Returns: the result of the body after the commit, or the error that it threw.
    /// - Throws: the error of the database.
    private func once<Value>(
        _ body: (any Transaction) throws -> Value, on connection: PostgreSQLConnection
    ) throws(PostgreSQLFailure) -> Result<Value, any Error> {
        try connection.connect()
        do throws(PostgreSQLFailure) {
            switch self {
            case .reading: try connection.tell("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            case .writing: try connection.tell("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            }
            let transaction = PostgreSQLTransaction(on: connection)
            let outcome = Result { try body(transaction) }
            // A statement failed. If the transaction may be repeated, the body's reaction does not matter.
            if let failure = transaction.ending {
                if !failure.mayRetry, case .failure = outcome {
                    rollBack(connection)
                    return outcome
                }
                throw failure
            }
            transaction.end()
            switch outcome {
            case .success: try commit(connection)
            case .failure: rollBack(connection)
            }
            return outcome
        } catch {
            rollBack(connection)
            // Also if the connection still exists: the server may have dropped its prepared statements.
            if error == .lost { connection.disconnect() }
            throw error
        }
    }

    private func commit(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
        do throws(PostgreSQLFailure) {
            try connection.tell("COMMIT")
        } catch {
            guard error == .lost || connection.isLost, case .writing = self else { throw error }
            // The response is lost, so the outcome is unknown.
            throw PostgreSQLFailure(.outcomeUnknown)
        }
    }

    /// Rolls the open transaction back; if that fails, closes the connection.
    private func rollBack(_ connection: PostgreSQLConnection) {
        if !connection.isLost, connection.isInTransaction { _ = try? connection.tell("ROLLBACK") }
        if connection.isLost || connection.isInTransaction { connection.disconnect() }
    }
}
