package import AuthAPI
package import SQLStore
package import Time

/// A row of the table `accounts`.
package struct AccountRow: Equatable, Sendable {
    package var id: AccountID
    /// The label that its owner gave. It need not be unique, and is sealed in the table.
    package var name: String
    package var createdAt: Timestamp
    /// The time since which the account is locked; nil for an unlocked account.
    package var lockedAt: Timestamp?

    package init(id: AccountID, name: String, createdAt: Timestamp, lockedAt: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lockedAt = lockedAt
    }
}

/// The table `accounts`.
package enum Accounts {
    private static func namePlace(_ id: AccountID) -> ColumnSealer.Place {
        ColumnSealer.Place("accounts", "name_sealed", row: id.bytes)
    }

    /// Opens the value of the column `name_sealed`.
    static func openName(_ sealed: [UInt8], of id: AccountID, sealer: ColumnSealer) throws(StoreError) -> String {
        try sealer.openText(sealed, at: namePlace(id))
    }

    /// Adds an account.
    ///
    /// - Throws: ``StoreError/conflict`` if the id exists already.
    package static func add(
        _ account: AccountRow, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO accounts (account_id, name_sealed, created_at) VALUES ($1, $2, $3)",
            [
                .id(account.id), try sealer.seal(text: account.name, at: namePlace(account.id)),
                .time(account.createdAt),
            ])
    }

    package static func find(
        _ id: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> AccountRow? {
        guard
            let row = try transaction.first(
                "SELECT name_sealed, created_at, locked_at FROM accounts WHERE account_id = $1", [.id(id)])
        else { return nil }
        return AccountRow(
            id: id, name: try sealer.openText(try row.bytes(0), at: namePlace(id)), createdAt: try row.time(1),
            lockedAt: try row.optional(2, SQLRow.time))
    }

    /// Takes the account's row, for decisions that depend on more than one row of the account: another transaction that
    /// takes it waits until this one ends. Returns whether the account exists.
    @discardableResult
    package static func hold(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.change("UPDATE accounts SET created_at = created_at WHERE account_id = $1", [.id(id)]) == 1
    }
}
