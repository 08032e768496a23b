internal import AuthStore
internal import ServerHTTP
internal import Synchronization
internal import Time

/// Token buckets in the memory of this process, for a limited number of subjects. They bound the load of a process, and
/// are used more often than a store should be written to. Replicas count separately, and a restart clears the counts.
final class MemoryBuckets<Subject: Hashable & Sendable>: Sendable {
    /// A bucket with its rate.
    struct Limited: Sendable {
        let subject: Subject
        let rate: TokenBucket.Rate
    }

    private let buckets: Mutex<BoundedTable<Subject, TokenBucket>>

    /// - Parameter capacity: the number of subjects that are remembered. A forgotten subject has a full bucket again.
    init(capacity: Int) { buckets = Mutex(BoundedTable(capacity: capacity)) }

    /// The number of subjects that are remembered.
    var count: Int { buckets.withLock { $0.count } }

    /// Returns how long it takes until each of the buckets has a token; nil if each has one now. Takes nothing.
    func wait(for limited: [Limited], at now: Timestamp) -> Timestamp.Span? {
        buckets.withLock { buckets in Self.wait(for: limited, at: now, in: &buckets) }
    }

    /// Takes a token from each bucket. If one of them is empty it takes nothing, and returns how long to wait.
    func take(from limited: [Limited], at now: Timestamp) -> Timestamp.Span? {
        buckets.withLock { buckets in
            if let wait = Self.wait(for: limited, at: now, in: &buckets) { return wait }
            for one in limited { Self.drain(one, at: now, in: &buckets) }
            return nil
        }
    }

    /// Takes a token from each bucket that has one.
    func drain(_ limited: [Limited], at now: Timestamp) {
        buckets.withLock { buckets in
            for one in limited { Self.drain(one, at: now, in: &buckets) }
        }
    }

    private static func wait(
        for limited: [Limited], at now: Timestamp, in buckets: inout BoundedTable<Subject, TokenBucket>
    ) -> Timestamp.Span? {
        limited.compactMap { one in
            TokenBucket.take(from: buckets.value(of: one.subject), one.rate, at: now).outcome.wait
        }.max()
    }

    private static func drain(
        _ one: Limited, at now: Timestamp, in buckets: inout BoundedTable<Subject, TokenBucket>
    ) {
        let bucket = TokenBucket.take(from: buckets.value(of: one.subject), one.rate, at: now).bucket
        buckets.set(bucket, for: one.subject)
    }
}
