package import SQLStore

/// A row of the table `audit_queue`: an event that waits for the audit log of one server.
struct AuditQueueRow: Equatable, Sendable {
    /// The place in the order of events, from the time of the event.
    let position: Int64
    /// The event's id: 16 bytes.
    let id: [UInt8]
    /// The fields of the event, as in the audit log; sealed in the table.
    let event: [UInt8]

    init(position: Int64, id: [UInt8], event: [UInt8]) {
        self.position = position
        self.id = id
        self.event = event
    }
}

/// A row of the table `audit_queue` as it was read. The store's owner can have changed it.
struct AuditQueueEntry: Equatable, Sendable {
    /// The place of a row: a key of the table.
    struct Place: Equatable, Sendable {
        /// The number of the log: 32 bytes.
        let log: [UInt8]
        let position: Int64
        /// The event's id: 16 bytes.
        let id: [UInt8]

        /// A place before all rows.
        static let start = Place(log: [], position: .min, id: [])
    }

    let place: Place
    /// The fields of the event; nil if they cannot be read.
    let event: [UInt8]?
    /// Whether they cannot be read because a key has sealed them that this server does not have.
    let isOfOtherKey: Bool
}

/// The table `audit_queue`.
///
/// Each event is destined for the log of the server that wrote it, so that no two servers copy it. If that server does
/// not come back, another one takes its events over: ``foreign(to:before:after:sealer:in:)``.
///
/// A row that its server cannot read is set aside: no server copies it, until one can read it and takes it over.
package enum AuditQueue {
    /// The number that the rows have that are set aside. It is the number of no log.
    static let aside = [UInt8](repeating: 0, count: 32)

    private static func place(_ id: [UInt8]) -> ColumnSealer.Place {
        ColumnSealer.Place("audit_queue", "event_sealed", row: id)
    }

    /// Adds an event for a log, in the transaction of the change that it reports.
    ///
    /// - Parameter log: the log's number, 32 bytes.
    static func add(
        _ row: AuditQueueRow, to log: [UInt8], sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO audit_queue (log, number, event_id, event_sealed) VALUES ($1, $2, $3, $4)",
            [
                .bytes(log), .integer(row.position), .bytes(row.id),
                .bytes(try sealer.seal(row.event, at: place(row.id))),
            ])
    }

    /// Returns the first rows that wait for a log after a place, in order: ``StoreLimits/rowsAtOnce`` at most.
    static func next(
        of log: [UInt8], after place: AuditQueueEntry.Place, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [AuditQueueEntry] {
        try entries(
            transaction.run(
                """
                SELECT log, number, event_id, CASE WHEN length(event_sealed) <= $1 THEN event_sealed END
                FROM audit_queue WHERE log = $2 AND (number, event_id) > ($3, $4)
                ORDER BY number, event_id LIMIT $5
                """,
                [
                    .integer(longest), .bytes(log), .integer(place.position), .bytes(place.id),
                    .integer(StoreLimits.rowsAtOnce),
                ]), sealer)
    }

    /// Returns the first rows after a place that other servers have left, and those that are set aside:
    /// ``StoreLimits/rowsAtOnce`` at most.
    ///
    /// - Parameter position: only rows before it, and those that are set aside.
    static func foreign(
        to log: [UInt8], before position: Int64, after place: AuditQueueEntry.Place, sealer: ColumnSealer,
        in transaction: some Transaction
    ) throws(StoreError) -> [AuditQueueEntry] {
        try entries(
            transaction.run(
                """
                SELECT log, number, event_id, CASE WHEN length(event_sealed) <= $1 THEN event_sealed END
                FROM audit_queue WHERE log <> $2 AND (number < $3 OR log = $4)
                AND (log, number, event_id) > ($5, $6, $7) ORDER BY log, number, event_id LIMIT $8
                """,
                [
                    .integer(longest), .bytes(log), .integer(position), .bytes(aside), .bytes(place.log),
                    .integer(place.position), .bytes(place.id), .integer(StoreLimits.rowsAtOnce),
                ]), sealer)
    }

    /// The bytes of a sealed event that are read: an event has some 200.
    private static let longest: Int64 = 4_096

    private static func entries(
        _ rows: [SQLRow], _ sealer: ColumnSealer
    ) throws(StoreError) -> [AuditQueueEntry] {
        var entries: [AuditQueueEntry] = []
        for row in rows {
            let id = try row.bytes(2, count: 16)
            let place = AuditQueueEntry.Place(log: try row.bytes(0), position: try row.integer(1), id: id)
            var (event, isOfOtherKey): ([UInt8]?, Bool) = (nil, false)
            do throws(StoreError) {
                if let sealed = try row.optional(3, SQLRow.bytes) {
                    event = try sealer.open(sealed, at: Self.place(id))
                }
            } catch .unknownSealingKey {
                isOfOtherKey = true
            } catch .sealIsBroken {}
            entries.append(AuditQueueEntry(place: place, event: event, isOfOtherKey: isOfOtherKey))
        }
        return entries
    }

    /// Removes a row.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    static func remove(
        _ place: AuditQueueEntry.Place, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "DELETE FROM audit_queue WHERE log = $1 AND number = $2 AND event_id = $3",
            [.bytes(place.log), .integer(place.position), .bytes(place.id)]) == 1
    }

    /// Moves a row that another server has left to a log, unless the log has it already.
    static func adopt(
        _ place: AuditQueueEntry.Place, for log: [UInt8], in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            UPDATE audit_queue SET log = $1 WHERE log = $2 AND number = $3 AND event_id = $4
            AND NOT EXISTS (SELECT 1 FROM audit_queue WHERE log = $1 AND number = $3 AND event_id = $4)
            """, [.bytes(log), .bytes(place.log), .integer(place.position), .bytes(place.id)])
    }

    /// Sets a row aside that cannot be read.
    static func setAside(
        _ place: AuditQueueEntry.Place, in transaction: some Transaction
    ) throws(StoreError) {
        try remove(AuditQueueEntry.Place(log: aside, position: place.position, id: place.id), in: transaction)
        try adopt(place, for: aside, in: transaction)
    }

    /// Returns the number of rows that are set aside.
    package static func countAside(in transaction: some Transaction) throws(StoreError) -> Int64 {
        try transaction.first("SELECT count(*) FROM audit_queue WHERE log = $1", [.bytes(aside)])?.integer(0) ?? 0
    }

    /// Returns whether at least this number of events wait for a log.
    static func has(
        atLeast count: Int, of log: [UInt8], in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.first(
            "SELECT number FROM audit_queue WHERE log = $1 LIMIT 1 OFFSET $2",
            [.bytes(log), .integer(Int64(max(count, 1) - 1))]) != nil
    }

    /// Returns the number of events that wait for any log, without those that are set aside, and the position of the
    /// first; nil without one.
    package static func waiting(
        in transaction: some Transaction
    ) throws(StoreError) -> (count: Int64, first: Int64?) {
        let row = try transaction.first(
            "SELECT count(*), min(number) FROM audit_queue WHERE log <> $1", [.bytes(aside)])
        return (try row?.integer(0) ?? 0, try row?.optional(1, SQLRow.integer))
    }
}
