package import SQLStore
package import Time

/// The table `rate_limits`: token buckets that all replicas share.
package enum RateLimits {
    /// Takes a token from a bucket.
    ///
    /// A refused request changes nothing, so that repeated requests do not make the wait longer. If this replica's
    /// clock is behind another's, the bucket neither gains nor loses.
    ///
    /// - Parameter bucket: a hash of the subject, 32 bytes.
    package static func take(
        from bucket: [UInt8], _ rate: TokenBucket.Rate, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> TokenBucket.Outcome {
        // The rule of ``TokenBucket/take(from:_:at:)``, as one statement.
        let price = rate.interval.milliseconds
        let full = rate.burst * price
        let granted = try transaction.first(
            """
            INSERT INTO rate_limits (bucket, saved, updated_at) VALUES ($1, $2, $3)
            ON CONFLICT (bucket) DO UPDATE SET
                saved = CASE
                    WHEN $3 <= rate_limits.updated_at THEN rate_limits.saved
                    WHEN rate_limits.saved + $3 - rate_limits.updated_at >= $4 THEN $4
                    ELSE rate_limits.saved + $3 - rate_limits.updated_at END - $5,
                updated_at = CASE WHEN $3 > rate_limits.updated_at THEN $3 ELSE rate_limits.updated_at END
            WHERE rate_limits.saved >= $5
                OR ($3 > rate_limits.updated_at AND rate_limits.saved + $3 - rate_limits.updated_at >= $5)
            RETURNING saved
            """,
            [.bytes(bucket), .integer(full - price), .time(now), .integer(full), .integer(price)])
        if let granted { return .granted(remaining: try granted.integer(0) / price) }
        let wait = try wait(for: bucket, rate, at: now, in: transaction)
        return .refused(retryAfter: wait ?? Timestamp.Span(milliseconds: 1))
    }

    /// Returns how long it takes until a bucket has a token; nil if it has one now. Takes nothing.
    package static func wait(
        for bucket: [UInt8], _ rate: TokenBucket.Rate, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Timestamp.Span? {
        guard
            let row = try transaction.first(
                "SELECT saved, updated_at FROM rate_limits WHERE bucket = $1", [.bytes(bucket)])
        else { return nil }
        let missing = Timestamp.Span(milliseconds: max(rate.interval.milliseconds - (try row.integer(0)), 0))
        let wait = try row.time(1).adding(missing).since(now)
        // A clock that is behind adds no time.
        return missing.milliseconds > 0 && wait.milliseconds > 0 ? wait : nil
    }

    /// Removes the buckets that were last used before `moment`, in one of 256 parts of the table: `part` 0...255.
    /// Returns how many. So no transaction is long, and the table needs no index that every request would change.
    package static func prune(
        unusedSince moment: Timestamp, part: UInt8, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        let end: [UInt8] = part == .max ? [UInt8](repeating: .max, count: 33) : [part + 1]
        return try transaction.change(
            "DELETE FROM rate_limits WHERE bucket >= $1 AND bucket < $2 AND updated_at < $3",
            [.bytes([part]), .bytes(end), .time(moment)])
    }
}
