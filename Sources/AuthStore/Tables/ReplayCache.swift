package import SQLStore
package import Time

/// The table `spent_values`: the hashes of values that may be used once. These are challenges, and DPoP proofs (RFC
/// 9449 section 11.1).
package enum ReplayCache {
    /// Records that a value is used. Returns whether it was unused: of several concurrent uses, one succeeds.
    ///
    /// - Parameters:
    ///   - value: the value's hash, 32 bytes.
    ///   - expiresAt: the time until which the row is kept at least, which covers the time in which the value could be
    ///     accepted. It follows from the value, such as from the nonce in a proof, so each use of one value has the
    ///     same. The table is in this order, so it needs no additional index, which each request would change.
    package static func spend(
        _ value: [UInt8], until expiresAt: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "INSERT INTO spent_values (value, expires_at) VALUES ($1, $2) ON CONFLICT (expires_at, value) DO NOTHING",
            [.bytes(value), .time(expiresAt)]) == 1
    }

    /// Removes values whose time ended before `moment`, up to the limit of one transaction. Returns how many.
    package static func prune(
        expiredBefore moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            DELETE FROM spent_values WHERE (expires_at, value) IN
                (SELECT expires_at, value FROM spent_values WHERE expires_at < $1 ORDER BY expires_at, value LIMIT $2)
            """, [.time(moment), .integer(StoreLimits.rowsAtOnce)])
    }
}
