package import AuthAPI

/// Something that happened and that its owner, or the operator, should be able to see.
package struct SecurityEventRow: Equatable, Sendable {
    /// 16 random bytes.
    package var id: [UInt8]
    /// Nil: of no account, or of one that is erased.
    package var account: AccountID?
    /// In the server's words.
    package var kind: String
    package var at: Timestamp
    /// Sealed in the table.
    package var details: [UInt8]?

    package init(id: [UInt8], account: AccountID?, kind: String, at: Timestamp, details: [UInt8]? = nil) {
        self.id = id
        self.account = account
        self.kind = kind
        self.at = at
        self.details = details
    }
}

/// The table `security_events`.
package enum SecurityEvents {
    private static func place(_ id: [UInt8]) -> ColumnSealer.Place {
        ColumnSealer.Place("security_events", "details_sealed", row: id)
    }

    package static func add(
        _ event: SecurityEventRow, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            INSERT INTO security_events (event_id, account_id, kind, at, details_sealed) VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .bytes(event.id), .id(event.account), .text(event.kind), .time(event.at),
                try sealer.seal(optional: event.details, at: place(event.id)),
            ])
    }

    /// The last ones of an account, the newest first.
    ///
    /// - Parameter limit: how many at most.
    package static func last(
        of account: AccountID, limit: Int, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [SecurityEventRow] {
        var events: [SecurityEventRow] = []
        for row in try transaction.run(
            """
            SELECT event_id, account_id, kind, at, details_sealed FROM security_events
            WHERE account_id = $1 ORDER BY at DESC, event_id LIMIT $2
            """, [.id(account), .integer(Int64(limit))])
        { events.append(try event(row, sealer)) }
        return events
    }

    /// Forgets those from before `moment`, at most so many as one transaction should. Returns how many.
    package static func prune(
        before moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            DELETE FROM security_events WHERE event_id IN
                (SELECT event_id FROM security_events WHERE at < $1 ORDER BY at LIMIT $2)
            """, [.time(moment), .integer(StoreLimits.rowsAtOnce)])
    }

    private static func event(_ row: SQLRow, _ sealer: ColumnSealer) throws(StoreError) -> SecurityEventRow {
        let id = try row.bytes(0, count: 16)
        return SecurityEventRow(
            id: id, account: try row.optional(1, SQLRow.account),
            kind: try row.text(2), at: try row.time(3),
            details: try sealer.open(optional: try row.optional(4, SQLRow.bytes), at: place(id)))
    }
}
