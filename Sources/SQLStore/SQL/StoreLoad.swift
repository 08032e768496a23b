/// The load of a store, read without waiting for the store.
package struct StoreLoad: Equatable, Sendable {
    /// The number that waits now: writes for SQLite's writer, transactions for a connection of PostgreSQL.
    package var waiting = 0
    /// The number of waits since the start, short ones included, and their total time.
    package var waits = 0
    package var waited = Duration.zero
    /// Pages in the write-ahead log of SQLite as of the last commit; nil for another store.
    package var logPages: Int?

    package init() {}

    /// Records that waiting work has begun.
    mutating func began(_ count: Int = 1, after wait: Duration) {
        waits += count
        waited += wait
    }
}
