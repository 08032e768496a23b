package import AuthAPI
package import SQLStore

/// The table `invitations`: which codes let somebody make an account.
package enum Invitations {
    /// - Parameter hash: 32 bytes.
    /// - Throws: ``StoreError/conflict`` if there is one of that hash.
    package static func add(
        _ hash: [UInt8], until expiresAt: Timestamp, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO invitations (code_hash, expires_at) VALUES ($1, $2)", [.bytes(hash), .time(expiresAt)])
    }

    /// Whether there is such an invitation, not used and not expired.
    package static func contains(
        _ hash: [UInt8], at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.first(
            "SELECT 1 FROM invitations WHERE code_hash = $1 AND expires_at > $2", [.bytes(hash), .time(now)]) != nil
    }

    /// Uses an invitation up. Returns whether it was good: of any number of uses at once, it was for one.
    package static func use(
        _ hash: [UInt8], at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "DELETE FROM invitations WHERE code_hash = $1 AND expires_at > $2", [.bytes(hash), .time(now)]) == 1
    }

    /// How many are good.
    package static func count(at now: Timestamp, in transaction: some Transaction) throws(StoreError) -> Int {
        let row = try transaction.first("SELECT count(*) FROM invitations WHERE expires_at > $1", [.time(now)])
        return Int(clamping: try row?.integer(0) ?? 0)
    }

    /// Removes all: those of a copy that is put back may have been used since it was made.
    package static func removeAll(in transaction: some Transaction) throws(StoreError) {
        try transaction.change("DELETE FROM invitations", [])
    }

    /// Forgets those that expired before `moment`, at most so many as one transaction should. Returns how many.
    package static func prune(
        expiredBefore moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            DELETE FROM invitations WHERE code_hash IN
                (SELECT code_hash FROM invitations WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)
            """, [.time(moment), .integer(StoreLimits.rowsAtOnce)])
    }
}
