/// How busy a store is. Read without waiting for the store.
package struct StoreLoad: Equatable, Sendable {
    /// What waits at this moment: writes for the writer of SQLite, transactions for a connection of PostgreSQL.
    package var waiting = 0
    /// How many have waited since the start, be it for no time, and for how long together.
    package var waits = 0
    package var waited = Duration.zero
    /// Pages in the write-ahead log of SQLite as of the last commit; nil for another store.
    package var logPages: Int?

    package init() {}

    /// Counts what has begun after it had waited since `start`.
    mutating func began(_ count: Int = 1, after wait: Duration) {
        waits += count
        waited += wait
    }
}
