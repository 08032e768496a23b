package import SQLStore
package import Time

/// The table `revoked_access_tokens`: the `jti` of access tokens that were revoked before they expire.
package enum RevokedAccessTokens {
    /// Adds a token.
    ///
    /// - Parameters:
    ///   - tokenID: the `jti`, 16 bytes.
    ///   - expiresAt: when the token expires; the row is kept at least until then.
    package static func add(
        _ tokenID: [UInt8], until expiresAt: Timestamp, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            "INSERT INTO revoked_access_tokens (token_id, expires_at) VALUES ($1, $2) ON CONFLICT (token_id) DO NOTHING",
            [.bytes(tokenID), .time(expiresAt)])
    }

    package static func contains(_ tokenID: [UInt8], in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.first("SELECT 1 FROM revoked_access_tokens WHERE token_id = $1", [.bytes(tokenID)]) != nil
    }

    /// Removes tokens that expired before `moment`, up to the limit of one transaction. Returns how many.
    package static func prune(
        expiredBefore moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change(
            """
            DELETE FROM revoked_access_tokens WHERE token_id IN
                (SELECT token_id FROM revoked_access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)
            """, [.time(moment), .integer(StoreLimits.rowsAtOnce)])
    }
}
