package import AuthAPI
package import SQLStore
package import Time

extension Accounts {
    /// The access to an account: whether its row allows a sign-in.
    package enum Access: Equatable, Sendable {
        case open
        /// The operator has locked the account.
        case locked
        /// The account does not exist.
        case absent
    }

    private static func reasonPlace(_ id: AccountID) -> ColumnSealer.Place {
        ColumnSealer.Place("accounts", "lock_reason_sealed", row: id.bytes)
    }

    /// Takes the account's row like ``hold(_:in:)``, and returns whether the account accepts a sign-in. A concurrent
    /// lock commits either before this transaction or after it.
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

    /// Locks the account. Returns whether it was unlocked before; the time and reason of an earlier lock stay.
    ///
    /// - Parameter reason: the reason, which is sealed in the table.
    package static func lock(
        _ id: AccountID, at now: Timestamp, reason: String?, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE accounts SET locked_at = $1, lock_reason_sealed = $2 WHERE account_id = $3 AND locked_at IS NULL
            """,
            [.time(now), try sealer.seal(optional: reason.map { Array($0.utf8) }, at: reasonPlace(id)), .id(id)]) == 1
    }

    /// Unlocks the account. Returns whether it was locked.
    package static func unlock(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE accounts SET locked_at = NULL, lock_reason_sealed = NULL
            WHERE account_id = $1 AND locked_at IS NOT NULL
            """, [.id(id)]) == 1
    }

    /// Returns the reason that the operator gave for the lock; nil if the account is not locked, or no reason was
    /// given.
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
