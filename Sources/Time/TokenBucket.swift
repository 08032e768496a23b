/// A token bucket: a limit of requests with a burst and a refill rate. It is a value, which its owner keeps in memory or
/// in a row of a table.
///
/// A bucket saves time: the time that has passed, but no more than a whole burst costs. One token costs an interval. So
/// nothing is divided, and nothing is lost to rounding.
package struct TokenBucket: Equatable, Sendable {
    /// The milliseconds that the bucket has saved.
    package let saved: Int64
    package let updatedAt: Timestamp

    package init(saved: Int64, updatedAt: Timestamp) {
        self.saved = saved
        self.updatedAt = updatedAt
    }

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

    /// Takes a token.
    ///
    /// - Parameter bucket: the bucket; nil for one that was never used.
    /// - Returns: the bucket to keep. A refusal does not change it.
    package static func take(
        from bucket: TokenBucket?, _ rate: Rate, at now: Timestamp
    ) -> (outcome: Outcome, bucket: TokenBucket) {
        let price = rate.interval.milliseconds
        let full = rate.burst * price
        let last = bucket?.updatedAt ?? now
        let saved = min(max(bucket?.saved ?? full, 0), full)
        let level = min(saved + max(now.since(last).milliseconds, 0), full)
        guard level >= price else {
            let wait = last.adding(Timestamp.Span(milliseconds: price - saved)).since(now)
            let unchanged = bucket ?? TokenBucket(saved: saved, updatedAt: last)
            return (.refused(retryAfter: max(wait, Timestamp.Span(milliseconds: 1))), unchanged)
        }
        let next = TokenBucket(saved: level - price, updatedAt: max(last, now))
        return (.granted(remaining: next.saved / price), next)
    }
}
