package import SQLStore
package import Time

/// The table `invitations`: the hashes of valid invitation codes.
package enum Invitations {
    /// Adds an invitation.
    ///
    /// - Parameter hash: the hash of its code, 32 bytes.
    /// - Throws: ``StoreError/conflict`` if that hash exists already.
    package static func add(
        _ hash: [UInt8], until expiresAt: Timestamp, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO invitations (code_hash, expires_at) VALUES ($1, $2)", [.bytes(hash), .time(expiresAt)])
    }

    /// Returns whether an invitation exists that is not used and not expired.
    package static func contains(
        _ hash: [UInt8], at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.first(
            "SELECT 1 FROM invitations WHERE code_hash = $1 AND expires_at > $2", [.bytes(hash), .time(now)]) != nil
    }

    /// Uses an invitation up. Returns whether it was valid: of several concurrent uses, one succeeds.
    package static func use(
        _ hash: [UInt8], at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "DELETE FROM invitations WHERE code_hash = $1 AND expires_at > $2", [.bytes(hash), .time(now)]) == 1
    }

    /// Returns the number of valid invitations.
    package static func count(at now: Timestamp, in transaction: some Transaction) throws(StoreError) -> Int {
        let row = try transaction.first("SELECT count(*) FROM invitations WHERE expires_at > $1", [.time(now)])
        return Int(clamping: try row?.integer(0) ?? 0)
    }

    /// Removes all invitations: those of a restored copy may have been used since the copy was made.
    package static func removeAll(in transaction: some Transaction) throws(StoreError) {
        try transaction.change("DELETE FROM invitations", [])
    }

    /// Removes invitations that expired before `moment`, up to the limit of one transaction. Returns how many.
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
