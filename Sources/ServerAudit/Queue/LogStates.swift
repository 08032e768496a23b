package import SQLStore

/// A row of the table `log_states`: the last state of an audit log that this store knows.
package struct LogStateRow: Equatable, Sendable {
    /// The number of entries.
    package let size: Int64
    /// The root of the tree: 32 bytes.
    package let root: [UInt8]
    /// The signed checkpoint of a log that the server witnesses; nil for the server's own.
    package let note: [UInt8]?

    init(size: Int64, root: [UInt8], note: [UInt8]? = nil) {
        self.size = size
        self.root = root
        self.note = note
    }
}

/// The table `log_states`.
package enum LogStates {
    /// Returns the state of a log; nil if the store knows none.
    ///
    /// - Parameter log: the log's number, 32 bytes.
    package static func find(_ log: [UInt8], in transaction: some Transaction) throws(StoreError) -> LogStateRow? {
        try transaction.first("SELECT size, root, note FROM log_states WHERE log = $1", [.bytes(log)]).map {
            row throws(StoreError) in
            LogStateRow(
                size: try row.integer(0), root: try row.bytes(1, count: 32),
                note: try row.optional(2, SQLRow.bytes))
        }
    }

    /// Replaces the state of a log, unless another server has replaced it meanwhile.
    ///
    /// - Parameter old: the state to replace; nil for a log without one.
    /// - Returns: false if the store has another state than `old`. Nothing is changed then.
    static func replace(
        _ log: [UInt8], _ old: LogStateRow?, with new: LogStateRow, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        guard let old else {
            return try transaction.change(
                """
                INSERT INTO log_states (log, size, root, note) VALUES ($1, $2, $3, $4)
                ON CONFLICT (log) DO NOTHING
                """, [.bytes(log), .integer(new.size), .bytes(new.root), .bytes(new.note)]) == 1
        }
        return try transaction.change(
            "UPDATE log_states SET size = $1, root = $2, note = $3 WHERE log = $4 AND size = $5 AND root = $6",
            [
                .integer(new.size), .bytes(new.root), .bytes(new.note), .bytes(log), .integer(old.size),
                .bytes(old.root),
            ]) == 1
    }
}
