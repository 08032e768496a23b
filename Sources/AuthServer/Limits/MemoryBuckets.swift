internal import AuthAPI
internal import Synchronization

/// Token buckets in the memory of this process, of at most so many subjects: for limits that bound the load of a process, and
/// that are asked more often than a store should be written to. Replicas count apart, and a restart forgets.
final class MemoryBuckets<Subject: Hashable & Sendable>: Sendable {
    /// A bucket and how it fills.
    struct Limited: Sendable {
        let subject: Subject
        let rate: RateLimits.Rate
    }

    private let buckets: Mutex<BoundedTable<Subject, TokenBucket>>

    /// - Parameter capacity: how many subjects are remembered. A subject that is forgotten has a full bucket again.
    init(capacity: Int) { buckets = Mutex(BoundedTable(capacity: capacity)) }

    /// How many subjects are remembered.
    var count: Int { buckets.withLock { $0.count } }

    /// Returns how long it takes until each of the buckets has one; nil if each has one now. Nothing is taken.
    func wait(for limited: [Limited], at now: Timestamp) -> Timestamp.Span? {
        buckets.withLock { buckets in Self.wait(for: limited, at: now, in: &buckets) }
    }

    /// Takes one out of each bucket, or nothing if one of them is empty: then returns how long that lasts.
    func take(from limited: [Limited], at now: Timestamp) -> Timestamp.Span? {
        buckets.withLock { buckets in
            if let wait = Self.wait(for: limited, at: now, in: &buckets) { return wait }
            for one in limited { Self.drain(one, at: now, in: &buckets) }
            return nil
        }
    }

    /// Takes one out of each bucket that has one.
    func drain(_ limited: [Limited], at now: Timestamp) {
        buckets.withLock { buckets in
            for one in limited { Self.drain(one, at: now, in: &buckets) }
        }
    }

    private static func wait(
        for limited: [Limited], at now: Timestamp, in buckets: inout BoundedTable<Subject, TokenBucket>
    ) -> Timestamp.Span? {
        // A bucket that is not remembered is full.
        limited.compactMap { buckets.value(of: $0.subject)?.wait($0.rate, at: now) }.max()
    }

    private static func drain(
        _ one: Limited, at now: Timestamp, in buckets: inout BoundedTable<Subject, TokenBucket>
    ) {
        var bucket = buckets.value(of: one.subject) ?? TokenBucket(full: one.rate, at: now)
        bucket.take(one.rate, at: now)
        buckets.set(bucket, for: one.subject)
    }
}

/// A bucket that saves up time, as those of the store do: one token costs an interval, and no more is saved than a burst costs.
struct TokenBucket: Equatable, Sendable {
    private var saved: Int64
    private var updated: Timestamp

    init(full rate: RateLimits.Rate, at now: Timestamp) {
        saved = rate.burst * rate.interval.milliseconds
        updated = now
    }

    /// Returns how long it takes until there is one; nil if there is one now.
    func wait(_ rate: RateLimits.Rate, at now: Timestamp) -> Timestamp.Span? {
        guard savings(rate, at: now) < rate.interval.milliseconds else { return nil }
        // A clock that was turned back has to come to where it was, first.
        return updated.adding(Timestamp.Span(milliseconds: rate.interval.milliseconds - saved)).since(now)
    }

    /// Takes one, if there is one.
    mutating func take(_ rate: RateLimits.Rate, at now: Timestamp) {
        let savings = savings(rate, at: now)
        guard savings >= rate.interval.milliseconds else { return }
        saved = savings - rate.interval.milliseconds
        updated = max(updated, now)
    }

    private func savings(_ rate: RateLimits.Rate, at now: Timestamp) -> Int64 {
        let full = rate.burst * rate.interval.milliseconds
        let passed = max(now.since(updated).milliseconds, 0)
        return passed >= full ? full : min(saved + passed, full)
    }
}
