package import AuthAPI
package import SQLStore

/// An account.
package struct AccountRow: Equatable, Sendable {
    package var id: AccountID
    /// What its owner calls it: a label, which need not be unique. Sealed in the table.
    package var name: String
    package var createdAt: Timestamp
    /// Since when the operator has the account locked; nil while it is open.
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

    /// Opens what the column `name_sealed` holds.
    static func openName(_ sealed: [UInt8], of id: AccountID, sealer: ColumnSealer) throws(StoreError) -> String {
        try sealer.openText(sealed, at: namePlace(id))
    }

    /// - Throws: ``StoreError/conflict`` if there is one of that id.
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

    /// Takes the account's row, for what depends on more than one row of the account: another transaction that takes it
    /// waits until this one is over. Returns whether there is such an account.
    @discardableResult
    package static func hold(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.change("UPDATE accounts SET created_at = created_at WHERE account_id = $1", [.id(id)]) == 1
    }
}
