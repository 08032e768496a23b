#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How a transaction is begun, ended, and tried again.
enum PostgreSQLAccess: Sendable {
    /// In one state of the database, as SQLite reads.
    case reading
    case writing

    /// Runs `body` in a transaction, again if it lost against another or the connection went away before the commit.
    ///
    /// - Parameter patience: for how many nanoseconds the server's answers are waited for, of all attempts together.
    /// - Throws: what `body` throws, or a ``StoreError``.
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

    /// - Returns: what the body returned, after the commit, or what it threw.
    /// - Throws: what the database said.
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
            // A statement failed. If it may be tried again, it does not matter what the body made of it.
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
            // Also if it is still there: it may have forgotten what was prepared on it.
            if error == .lost { connection.disconnect() }
            throw error
        }
    }

    private func commit(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
        do throws(PostgreSQLFailure) {
            try connection.tell("COMMIT")
        } catch {
            guard error == .lost || connection.isLost, case .writing = self else { throw error }
            // The answer is lost, and with it whether there was one.
            throw PostgreSQLFailure(.outcomeUnknown)
        }
    }

    /// Afterwards no transaction is open, or no connection.
    private func rollBack(_ connection: PostgreSQLConnection) {
        if !connection.isLost, connection.isInTransaction { _ = try? connection.tell("ROLLBACK") }
        if connection.isLost || connection.isInTransaction { connection.disconnect() }
    }
}
