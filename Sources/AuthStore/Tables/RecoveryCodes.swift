package import AuthAPI
package import SQLStore
package import Time

/// A row of the table `recovery_codes`: the server's data about a code.
package struct RecoveryCodeRow: Equatable, Sendable {
    /// The selector, by which the code is found: 5 bytes.
    package var selector: [UInt8]
    package var account: AccountID
    /// The salt: ``saltSize`` bytes.
    package var salt: [UInt8]
    /// The hash of the secret, 32 bytes: SHA-256, or Argon2id for codes of the old form.
    package var hash: [UInt8]
    package var createdAt: Timestamp
    package var usedAt: Timestamp?

    package static let saltSize = 16

    package init(
        selector: [UInt8], account: AccountID, salt: [UInt8], hash: [UInt8], createdAt: Timestamp,
        usedAt: Timestamp? = nil
    ) {
        self.selector = selector
        self.account = account
        self.salt = salt
        self.hash = hash
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}

/// The table `recovery_codes`.
package enum RecoveryCodes {
    /// Replaces all codes of the account.
    ///
    /// - Throws: ``StoreError/conflict`` if another account has one of the selectors: make new codes and try again.
    package static func replaceAll(
        of account: AccountID, with codes: [RecoveryCodeRow], in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change("DELETE FROM recovery_codes WHERE account_id = $1", [.id(account)])
        for code in codes {
            try transaction.change(
                """
                INSERT INTO recovery_codes (selector, account_id, salt, hash, created_at, used_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                """,
                [
                    .bytes(code.selector), .id(account), .bytes(code.salt), .bytes(code.hash), .time(code.createdAt),
                    .time(code.usedAt),
                ])
        }
    }

    /// Returns the code with that selector, even a used one.
    package static func find(
        _ selector: [UInt8], in transaction: some Transaction
    ) throws(StoreError) -> RecoveryCodeRow? {
        guard
            let row = try transaction.first(
                """
                SELECT selector, account_id, salt, hash, created_at, used_at FROM recovery_codes WHERE selector = $1
                """, [.bytes(selector)])
        else { return nil }
        return RecoveryCodeRow(
            selector: try row.bytes(0, count: 5), account: try row.id(1),
            salt: try row.bytes(2, count: RecoveryCodeRow.saltSize),
            hash: try row.bytes(3, count: 32), createdAt: try row.time(4), usedAt: try row.optional(5, SQLRow.time))
    }

    /// Marks a code as used. Returns whether it was unused: of several concurrent uses, one succeeds.
    package static func use(
        _ selector: [UInt8], at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE recovery_codes SET used_at = $1 WHERE selector = $2 AND used_at IS NULL",
            [.time(now), .bytes(selector)]) == 1
    }

    /// Returns the number of unused codes of the account.
    package static func unused(of account: AccountID, in transaction: some Transaction) throws(StoreError) -> Int {
        let row = try transaction.first(
            "SELECT count(*) FROM recovery_codes WHERE account_id = $1 AND used_at IS NULL", [.id(account)])
        return Int(clamping: try row?.integer(0) ?? 0)
    }
}
