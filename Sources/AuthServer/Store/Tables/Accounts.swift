package import AuthAPI

/// An account.
package struct AccountRow: Equatable, Sendable {
    package var id: AccountID
    /// What its owner calls it: a label, which need not be unique. Sealed in the table.
    package var name: String
    package var createdAt: Timestamp
    /// Sessions and access tokens from before this moment are void; nil if there was never reason to.
    package var sessionsNotBefore: Timestamp?

    package init(id: AccountID, name: String, createdAt: Timestamp, sessionsNotBefore: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.sessionsNotBefore = sessionsNotBefore
    }
}

/// The table `accounts`.
package enum Accounts {
    private static func namePlace(_ id: AccountID) -> ColumnSealer.Place {
        ColumnSealer.Place("accounts", "name_sealed", row: id.bytes)
    }

    /// - Throws: ``StoreError/conflict`` if there is one of that id.
    package static func add(
        _ account: AccountRow, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO accounts (account_id, name_sealed, created_at, sessions_not_before) VALUES ($1, $2, $3, $4)",
            [
                .id(account.id), try sealer.seal(text: account.name, at: namePlace(account.id)),
                .time(account.createdAt),
                .time(account.sessionsNotBefore),
            ])
    }

    package static func find(
        _ id: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> AccountRow? {
        guard
            let row = try transaction.first(
                "SELECT name_sealed, created_at, sessions_not_before FROM accounts WHERE account_id = $1", [.id(id)])
        else { return nil }
        return AccountRow(
            id: id, name: try sealer.openText(try row.bytes(0), at: namePlace(id)), createdAt: try row.time(1),
            sessionsNotBefore: try row.optional(2, SQLRow.time))
    }

    /// Takes the account's row, for what depends on more than one row of the account: another transaction that takes it
    /// waits until this one is over. Returns whether there is such an account.
    @discardableResult
    package static func hold(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.change("UPDATE accounts SET created_at = created_at WHERE account_id = $1", [.id(id)]) == 1
    }

    /// Returns whether there is such an account.
    @discardableResult
    package static func rename(
        _ id: AccountID, to name: String, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE accounts SET name_sealed = $1 WHERE account_id = $2",
            [try sealer.seal(text: name, at: namePlace(id)), .id(id)]) == 1
    }

    /// Makes void what is from before `moment`; never takes back that something is void.
    @discardableResult
    package static func voidSessions(
        of id: AccountID, before moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE accounts SET sessions_not_before = $1
            WHERE account_id = $2 AND (sessions_not_before IS NULL OR sessions_not_before < $1)
            """, [.time(moment), .id(id)]) == 1
    }

    /// Makes void what is from before `moment`, of all accounts.
    package static func voidAllSessions(
        before moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            UPDATE accounts SET sessions_not_before = $1 WHERE sessions_not_before IS NULL OR sessions_not_before < $1
            """, [.time(moment)])
    }
}
