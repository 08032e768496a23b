package import AuthAPI
package import SQLStore
package import Time

/// A row of the table `security_events`, for the account's owner and the operator.
package struct SecurityEventRow: Equatable, Sendable {
    /// The event's id: 16 random bytes.
    package var id: [UInt8]
    /// The account; nil if the event has none, or if the account is erased.
    package var account: AccountID?
    /// The kind, in the server's words.
    package var kind: String
    package var at: Timestamp
    /// The details; sealed in the table.
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

    /// Adds an event. An account keeps the last `AuthStoreLimits.eventsOfKind` events of each kind, and a few more for a while.
    ///
    /// Events of one request have the same time. An event is stored one millisecond after the last one of its account
    /// that has this time or one up to a second later, so that the order of the times is that of the events.
    package static func add(
        _ event: SecurityEventRow, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            INSERT INTO security_events (event_id, account_id, kind, at, details_sealed) VALUES ($1, $2, $3, COALESCE(
                (SELECT MAX(at) + 1 FROM security_events WHERE account_id = $2 AND at >= $4 AND at < $5), $4), $6)
            """,
            [
                .bytes(event.id), .id(event.account), .text(event.kind), .time(event.at),
                .time(event.at.adding(.seconds(1))),
                try sealer.seal(optional: event.details, at: place(event.id)),
            ])
        // It runs for every sixteenth event, by the random id: the search costs more than the insertion.
        if let account = event.account, let first = event.id.first, first < 16 {
            try prune(event.kind, of: account, in: transaction)
        }
    }

    private static func prune(
        _ kind: String, of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            DELETE FROM security_events WHERE event_id IN (SELECT event_id FROM security_events
                WHERE account_id = $1 AND kind = $2 ORDER BY at DESC, event_id LIMIT $3 OFFSET $4)
            """,
            [
                .id(account), .text(kind), .integer(AuthStoreLimits.prunedAtOnce),
                .integer(AuthStoreLimits.eventsOfKind),
            ])
    }

    /// Removes the account and the details from events. Returns the number of changed events, up to the
    /// limit of one transaction.
    package static func anonymise(
        of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            UPDATE security_events SET account_id = NULL, details_sealed = NULL
            WHERE event_id IN (SELECT event_id FROM security_events WHERE account_id = $1 LIMIT $2)
            """, [.id(account), .integer(StoreLimits.rowsAtOnce)])
    }

    /// The position of the last event of a page: the next page begins after it.
    package struct Mark: Equatable, Sendable {
        let at: Timestamp
        let id: [UInt8]

        package init(at: Timestamp, id: [UInt8]) {
            self.at = at
            self.id = id
        }

        /// The position before the newest event.
        package static let newest = Mark(at: Timestamp(milliseconds: Timestamp.limit), id: [])
    }

    /// Returns a page of the events of an account, newest first.
    ///
    /// - Parameters:
    ///   - mark: the position of the last event of the previous page.
    ///   - limit: the highest number of events.
    package static func page(
        of account: AccountID, after mark: Mark = .newest, limit: Int, sealer: ColumnSealer,
        in transaction: some Transaction
    ) throws(StoreError) -> [SecurityEventRow] {
        var events: [SecurityEventRow] = []
        for row in try transaction.run(
            """
            SELECT event_id, account_id, kind, at, details_sealed FROM security_events
            WHERE account_id = $1 AND at <= $2 AND (at < $2 OR event_id > $3)
            ORDER BY at DESC, event_id LIMIT $4
            """, [.id(account), .time(mark.at), .bytes(mark.id), .integer(Int64(limit))])
        { events.append(try event(row, sealer)) }
        return events
    }

    /// Returns the position of an event of an account; nil if the account does not have it, or if it was removed: older
    /// events are removed first.
    package static func mark(
        _ event: [UInt8], of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> Mark? {
        let row = try transaction.first(
            "SELECT at FROM security_events WHERE event_id = $1 AND account_id = $2", [.bytes(event), .id(account)])
        return try row.map { row throws(StoreError) in Mark(at: try row.time(0), id: event) }
    }

    /// Removes events from before `moment`, up to the limit of one transaction. Returns how many.
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

extension SQLRow {
    fileprivate func account(_ column: Int) throws(StoreError) -> AccountID { try id(column) }
}
