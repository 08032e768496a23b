/// An error of the store.
///
/// No case carries a value, a text of the database, or a statement: what users send never reaches an error.
package enum StoreError: Error, Equatable, Sendable {
    /// The database cannot be reached, or went away before anything was committed. Nothing has changed.
    case unavailable
    /// The database cannot be reached at the start, with the reason that libpq gives: it may name hosts, users and databases, and is
    /// for the operator only.
    case notReached(String)
    /// A pooler before the database gives the transactions of one connection to different sessions, such as PgBouncer in its
    /// mode `transaction` or `statement`. Nothing has changed.
    case sharedSessions
    /// The connection was lost during the commit: the whole transaction has happened, or nothing of it.
    case outcomeUnknown
    /// Too many wait already, or a lock did not come free in time. Nothing has changed; later it may work.
    case overloaded
    /// The statement took longer than it may. Nothing has changed.
    case timedOut
    /// The disk is full. Nothing has changed.
    case diskFull
    /// The file was removed, replaced or cut while it was open. Nothing has changed.
    case fileReplaced
    /// The file is damaged, or is not a database.
    case damaged
    /// A row with that key exists already, or a row that it refers to does not.
    case conflict
    /// A text with U+0000 in it, or a value beyond the limits: neither database is asked.
    case unstorable
    /// A column has another type or size than the program expects: the position of the column, from 0.
    case unexpectedColumn(Int)
    /// Anything else, by the database's own code (`SQLite 1`, `PostgreSQL 42601`). A mistake of ours, or an I/O error.
    case failed(code: String)
    /// A statement was run after its transaction had ended.
    case transactionIsOver
    /// A sealed column was changed, moved to another row, or sealed with another key of the same number.
    case sealIsBroken
    /// A column is sealed with a key that the ring does not hold.
    case unknownSealingKey(UInt32)
    /// A migration that was run here is not the one that this program knows by that name.
    case migrationWasChanged(String)
    /// A newer program, or another one, has changed the tables: it ran this migration.
    case unknownMigration(String)
    /// Others may read or replace the database's file, or the connection is neither local nor encrypted and checked.
    case insecure
    /// The text that says where the database is cannot be read.
    case invalidAddress
    /// A file of that name exists, and is not replaced.
    case alreadyExists
    /// The file does not exist.
    case notFound
}

extension StoreError {
    /// Whether the database's device failed to read or write: SQLite's `SQLITE_IOERR` with any detail, PostgreSQL's
    /// `io_error`.
    package var isOfDevice: Bool {
        guard case .failed(let code) = self else { return false }
        if code == "PostgreSQL 58030" { return true }
        guard code.hasPrefix("SQLite "), let number = Int32(code.dropFirst(7)) else { return false }
        // The low byte is the primary code: https://www.sqlite.org/rescode.html#ioerr
        return number & 0xff == 10
    }
}
