package import SQLStore

/// A row of the table `audit_queue`: an event that waits for the audit log of one server.
package struct AuditQueueRow: Equatable, Sendable {
    /// The place in the order of events, from the time of the event.
    package let position: Int64
    /// The event's id: 16 bytes.
    package let id: [UInt8]
    /// The fields of the event, as in the audit log; sealed in the table.
    package let event: [UInt8]

    package init(position: Int64, id: [UInt8], event: [UInt8]) {
        self.position = position
        self.id = id
        self.event = event
    }
}

/// The table `audit_queue`.
///
/// Each event is destined for the log of the server that wrote it, so that no two servers copy it. If that server does
/// not come back, another one takes its events over: ``adopt(for:before:in:)``.
package enum AuditQueue {
    private static func place(_ id: [UInt8]) -> ColumnSealer.Place {
        ColumnSealer.Place("audit_queue", "event_sealed", row: id)
    }

    /// Adds an event for a log, in the transaction of the change that it reports.
    ///
    /// - Parameter log: the log's number, 32 bytes.
    package static func add(
        _ row: AuditQueueRow, to log: [UInt8], sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO audit_queue (log, number, event_id, event_sealed) VALUES ($1, $2, $3, $4)",
            [
                .bytes(log), .integer(row.position), .bytes(row.id),
                .bytes(try sealer.seal(row.event, at: place(row.id))),
            ])
    }

    /// Returns the first events that wait for a log, in order.
    ///
    /// Events that are sealed with a newer master key than this server has are left out: the server that sealed them
    /// copies them, or this one after its next start.
    package static func next(
        of log: [UInt8], sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [AuditQueueRow] {
        var rows: [AuditQueueRow] = []
        for row in try transaction.run(
            """
            SELECT number, event_id, event_sealed FROM audit_queue WHERE log = $1
            ORDER BY number, event_id LIMIT $2
            """, [.bytes(log), .integer(StoreLimits.rowsAtOnce)])
        {
            let id = try row.bytes(1, count: 16)
            do throws(StoreError) {
                rows.append(
                    AuditQueueRow(
                        position: try row.integer(0), id: id, event: try sealer.open(try row.bytes(2), at: place(id))))
            } catch .unknownSealingKey { continue }
        }
        return rows
    }

    /// Removes an event that the log has.
    package static func remove(
        _ row: AuditQueueRow, of log: [UInt8], in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "DELETE FROM audit_queue WHERE log = $1 AND number = $2 AND event_id = $3",
            [.bytes(log), .integer(row.position), .bytes(row.id)])
    }

    /// Takes events over whose servers did not copy them.
    ///
    /// - Parameter position: only events before it.
    /// - Returns: the number of events.
    package static func adopt(
        for log: [UInt8], before position: Int64, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            "UPDATE audit_queue SET log = $1 WHERE log <> $1 AND number < $2", [.bytes(log), .integer(position)])
    }

    /// Returns whether at least this number of events wait for a log.
    package static func has(
        atLeast count: Int, of log: [UInt8], in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.first(
            "SELECT number FROM audit_queue WHERE log = $1 LIMIT 1 OFFSET $2",
            [.bytes(log), .integer(Int64(max(count, 1) - 1))]) != nil
    }

    /// Returns the number of events that wait for any log, and the position of the first; nil without one.
    package static func waiting(
        in transaction: some Transaction
    ) throws(StoreError) -> (count: Int64, first: Int64?) {
        let row = try transaction.first("SELECT count(*), min(number) FROM audit_queue", [])
        return (try row?.integer(0) ?? 0, try row?.optional(1, SQLRow.integer))
    }
}
