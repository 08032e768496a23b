package import AuthAPI
package import SQLStore
package import Time

/// A summary of an account, for the operator's lists.
package struct AccountOverviewRow: Equatable, Sendable {
    package var id: AccountID
    /// The account's name; nil if the caller did not ask for names.
    package var name: String?
    package var createdAt: Timestamp
    package var lockedAt: Timestamp?
    package var passkeys: Int
    /// The number of its active sessions.
    package var sessions: Int
    /// The time of the last sign-in or refresh that the store has a record of.
    package var lastUsedAt: Timestamp?
}

/// Queries about whole accounts. Each reads a bounded number of rows into memory.
package enum AccountOverviews {
    /// Returns the next accounts in the order of their ids.
    ///
    /// - Parameters:
    ///   - after: the last id of the previous page; nil for the first page.
    ///   - sealer: opens the names; nil omits them.
    package static func page(
        after: AccountID?, limit: Int, at now: Timestamp, sealer: ColumnSealer?, in transaction: some Transaction
    ) throws(StoreError) -> [AccountOverviewRow] {
        var overviews: [AccountOverviewRow] = []
        for row in try transaction.run(
            """
            SELECT account_id, name_sealed, created_at, locked_at,
                (SELECT count(*) FROM fido_credentials c WHERE c.account_id = accounts.account_id),
                (SELECT max(c.last_used_at) FROM fido_credentials c WHERE c.account_id = accounts.account_id),
                (SELECT count(*) FROM refresh_tokens s WHERE s.account_id = accounts.account_id
                    AND s.revoked_at IS NULL AND s.expires_at > $1 AND s.idle_expires_at > $1),
                (SELECT max(s.last_used_at) FROM refresh_tokens s WHERE s.account_id = accounts.account_id)
            FROM accounts WHERE account_id > $2 ORDER BY account_id LIMIT $3
            """, [.time(now), .bytes(after?.bytes ?? []), .integer(Int64(limit))])
        { overviews.append(try overview(row, sealer)) }
        return overviews
    }

    /// Returns an account; nil if it does not exist.
    package static func find(
        _ id: AccountID, at now: Timestamp, sealer: ColumnSealer?, in transaction: some Transaction
    ) throws(StoreError) -> AccountOverviewRow? {
        guard
            let row = try transaction.first(
                """
                SELECT account_id, name_sealed, created_at, locked_at,
                    (SELECT count(*) FROM fido_credentials c WHERE c.account_id = accounts.account_id),
                    (SELECT max(c.last_used_at) FROM fido_credentials c WHERE c.account_id = accounts.account_id),
                    (SELECT count(*) FROM refresh_tokens s WHERE s.account_id = accounts.account_id
                        AND s.revoked_at IS NULL AND s.expires_at > $1 AND s.idle_expires_at > $1),
                    (SELECT max(s.last_used_at) FROM refresh_tokens s WHERE s.account_id = accounts.account_id)
                FROM accounts WHERE account_id = $2
                """, [.time(now), .id(id)])
        else { return nil }
        return try overview(row, sealer)
    }

    private static func overview(_ row: SQLRow, _ sealer: ColumnSealer?) throws(StoreError) -> AccountOverviewRow {
        let id: AccountID = try row.id(0)
        var name: String?
        if let sealer { name = try Accounts.openName(try row.bytes(1), of: id, sealer: sealer) }
        let uses = [try row.optional(5, SQLRow.time), try row.optional(7, SQLRow.time)].compactMap { $0 }
        return AccountOverviewRow(
            id: id, name: name, createdAt: try row.time(2), lockedAt: try row.optional(3, SQLRow.time),
            passkeys: Int(clamping: try row.integer(4)), sessions: Int(clamping: try row.integer(6)),
            lastUsedAt: uses.max())
    }
}

extension Passkeys {
    /// Removes a passkey, even if it is the account's last. Returns whether the account had it.
    package static func removeEvenLast(
        _ credentialID: [UInt8], of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "DELETE FROM fido_credentials WHERE credential_id = $1 AND account_id = $2",
            [.bytes(credentialID), .id(account)]) == 1
    }
}
