package import AuthAPI
package import SQLStore

/// The table `spent_values`: what may be used once, by its hash. Challenges, and DPoP proofs (RFC 9449 section 11.1).
package enum ReplayCache {
    /// Notes that a value is used. Returns whether it was not before: of any number of uses at once, it was for one.
    ///
    /// - Parameters:
    ///   - value: 32 bytes.
    ///   - expiresAt: it is kept at least until then, for so long as it could be accepted otherwise. Each use of one value has the
    ///     same: it follows from what is used, as from the nonce in a proof. The table is in this order, so that it needs no index
    ///     beside it, which each request would change.
    package static func spend(
        _ value: [UInt8], until expiresAt: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "INSERT INTO spent_values (value, expires_at) VALUES ($1, $2) ON CONFLICT (expires_at, value) DO NOTHING",
            [.bytes(value), .time(expiresAt)]) == 1
    }

    /// Forgets values that were kept until before `moment`, at most so many as one transaction should. Returns how many.
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
