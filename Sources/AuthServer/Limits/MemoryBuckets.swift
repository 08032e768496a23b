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

    private let buckets: Mutex<BoundedTable<Subject, RateLimits.Bucket>>

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
        for limited: [Limited], at now: Timestamp, in buckets: inout BoundedTable<Subject, RateLimits.Bucket>
    ) -> Timestamp.Span? {
        limited.compactMap { one in
            RateLimits.take(from: buckets.value(of: one.subject), one.rate, at: now).outcome.wait
        }.max()
    }

    private static func drain(
        _ one: Limited, at now: Timestamp, in buckets: inout BoundedTable<Subject, RateLimits.Bucket>
    ) {
        let bucket = RateLimits.take(from: buckets.value(of: one.subject), one.rate, at: now).bucket
        buckets.set(bucket, for: one.subject)
    }
}
