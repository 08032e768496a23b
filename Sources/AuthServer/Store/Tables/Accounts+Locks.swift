package import AuthAPI
package import SQLStore

extension Accounts {
    /// Whether an account takes a sign-in, as its row says.
    package enum Access: Equatable, Sendable {
        case open
        /// The operator has locked the account.
        case locked
        /// There is no such account.
        case absent
    }

    private static func reasonPlace(_ id: AccountID) -> ColumnSealer.Place {
        ColumnSealer.Place("accounts", "lock_reason_sealed", row: id.bytes)
    }

    /// Takes the account's row as ``hold(_:in:)`` does, and says whether the account takes a sign-in: a lock is set before this
    /// transaction, or after it.
    package static func holdForSignIn(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Access {
        guard
            let row = try transaction.first(
                "UPDATE accounts SET created_at = created_at WHERE account_id = $1 RETURNING locked_at", [.id(id)])
        else { return .absent }
        return try row.optional(0, SQLRow.time) == nil ? .open : .locked
    }

    /// Returns whether the account is locked.
    package static func isLocked(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        let row = try transaction.first("SELECT locked_at FROM accounts WHERE account_id = $1", [.id(id)])
        return try row?.optional(0, SQLRow.time) != nil
    }

    /// Locks the account. Returns whether it was open; the time and reason of an earlier lock stay.
    ///
    /// - Parameter reason: sealed in the table.
    package static func lock(
        _ id: AccountID, at now: Timestamp, reason: String?, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE accounts SET locked_at = $1, lock_reason_sealed = $2 WHERE account_id = $3 AND locked_at IS NULL
            """,
            [.time(now), try sealer.seal(optional: reason.map { Array($0.utf8) }, at: reasonPlace(id)), .id(id)]) == 1
    }

    /// Opens a locked account. Returns whether it was locked.
    package static func unlock(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE accounts SET locked_at = NULL, lock_reason_sealed = NULL
            WHERE account_id = $1 AND locked_at IS NOT NULL
            """, [.id(id)]) == 1
    }

    /// The reason that the operator gave for the lock; nil if the account is open, or no reason was given.
    package static func lockReason(
        of id: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> String? {
        guard
            let row = try transaction.first("SELECT lock_reason_sealed FROM accounts WHERE account_id = $1", [.id(id)]),
            let sealed = try row.optional(0, SQLRow.bytes)
        else { return nil }
        return try sealer.openText(sealed, at: reasonPlace(id))
    }
}
