/// Why the store did not do what it was asked.
///
/// No case carries a value, a text of the database, or a statement: what users send never reaches an error.
package enum StoreError: Error, Equatable, Sendable {
    /// The database cannot be reached, or went away before anything was committed. Nothing has changed.
    case unavailable
    /// The database cannot be reached at the start, with the reason that libpq gives: it may name hosts, users and databases, and is
    /// for the operator only.
    case notReached(String)
    /// The connection went away while the commit was under way: all of the transaction has happened, or nothing of it.
    case outcomeUnknown
    /// Too many wait already, or a lock did not come free in time. Nothing has changed; later it may work.
    case overloaded
    /// The statement took longer than it may. Nothing has changed.
    case timedOut
    /// There is no room on the disk. Nothing has changed.
    case diskFull
    /// The database's file is damaged, or is none.
    case damaged
    /// A row with that key is there already, or one that is pointed at is not.
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
    /// Something of that name is there, and is not replaced.
    case alreadyExists
    /// There is no such file.
    case notFound
}
