package import AuthAPI
package import SQLStore

/// The table `rate_limits`: token buckets that all replicas share.
package enum RateLimits {
    /// The rate of a limit: its burst and its interval.
    package struct Rate: Equatable, Sendable {
        /// The burst, the number of requests at once after a pause: 1...1,000,000.
        package let burst: Int64
        /// The interval after which one more request is allowed: 1 ms...30 days.
        package let interval: Timestamp.Span

        /// Creates a rate. A value out of range is replaced by the nearest one in range.
        package init(burst: Int64, every interval: Timestamp.Span) {
            self.burst = min(max(burst, 1), 1_000_000)
            self.interval = Timestamp.Span(milliseconds: min(max(interval.milliseconds, 1), 30 * 86_400_000))
        }
    }

    package enum Outcome: Equatable, Sendable {
        /// The request is allowed. This many more would be allowed at once.
        case granted(remaining: Int64)
        /// The request is refused and not counted. After this time it would be allowed, if no other request is counted
        /// meanwhile.
        case refused(retryAfter: Timestamp.Span)

        /// The time to wait; nil if the request is allowed.
        package var wait: Timestamp.Span? { if case .refused(let wait) = self { wait } else { nil } }
    }

    /// A bucket that is kept elsewhere: in memory, or in a row of another table that is written anyway.
    package struct Bucket: Equatable, Sendable {
        /// The milliseconds that the bucket has saved.
        package let saved: Int64
        package let updatedAt: Timestamp

        package init(saved: Int64, updatedAt: Timestamp) {
            self.saved = saved
            self.updatedAt = updatedAt
        }
    }

    /// Takes a token from a bucket that is kept elsewhere, by the rules of the table, and writes nothing.
    ///
    /// - Parameter bucket: the bucket; nil for one that was never used.
    /// - Returns: the bucket to write. A refusal does not change it.
    package static func take(
        from bucket: Bucket?, _ rate: Rate, at now: Timestamp
    ) -> (outcome: Outcome, bucket: Bucket) {
        let price = rate.interval.milliseconds
        let full = rate.burst * price
        let last = bucket?.updatedAt ?? now
        let saved = min(max(bucket?.saved ?? full, 0), full)
        let level = min(saved + max(now.since(last).milliseconds, 0), full)
        guard level >= price else {
            let wait = last.adding(Timestamp.Span(milliseconds: price - saved)).since(now)
            let unchanged = bucket ?? Bucket(saved: saved, updatedAt: last)
            return (.refused(retryAfter: max(wait, Timestamp.Span(milliseconds: 1))), unchanged)
        }
        let next = Bucket(saved: level - price, updatedAt: max(last, now))
        return (.granted(remaining: next.saved / price), next)
    }

    /// Takes a token from a bucket.
    ///
    /// A refused request changes nothing, so that repeated requests do not make the wait longer. If this replica's
    /// clock is behind another's, the bucket neither gains nor loses.
    ///
    /// - Parameter bucket: a hash of the subject, 32 bytes.
    package static func take(
        from bucket: [UInt8], _ rate: Rate, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Outcome {
        // A bucket saves time: the time that has passed, but no more than a whole burst costs. One token costs an
        // interval. So nothing is divided, and nothing is lost to rounding.
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
        for bucket: [UInt8], _ rate: Rate, at now: Timestamp, in transaction: some Transaction
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
