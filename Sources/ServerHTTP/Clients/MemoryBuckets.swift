internal import Synchronization
package import Time

/// Token buckets in the memory of this process, for a limited number of subjects. They bound the load of a process, and
/// are used more often than a store should be written to. Replicas count separately, and a restart clears the counts.
package final class MemoryBuckets<Subject: Hashable & Sendable>: Sendable {
    /// A bucket with its rate.
    package struct Limited: Sendable {
        package let subject: Subject
        package let rate: TokenBucket.Rate

        package init(subject: Subject, rate: TokenBucket.Rate) { (self.subject, self.rate) = (subject, rate) }
    }

    private let buckets: Mutex<BoundedTable<Subject, TokenBucket>>

    /// - Parameter capacity: the number of subjects that are remembered. A forgotten subject has a full bucket again.
    package init(capacity: Int) { buckets = Mutex(BoundedTable(capacity: capacity)) }

    /// The number of subjects that are remembered.
    package var count: Int { buckets.withLock { $0.count } }

    /// Returns how long it takes until each of the buckets has a token; nil if each has one now. Takes nothing.
    package func wait(for limited: [Limited], at now: Timestamp) -> Timestamp.Span? {
        buckets.withLock { buckets in Self.wait(for: limited, at: now, in: &buckets) }
    }

    /// Takes a token from each bucket. If one of them is empty it takes nothing, and returns how long to wait.
    package func take(from limited: [Limited], at now: Timestamp) -> Timestamp.Span? {
        buckets.withLock { buckets in
            if let wait = Self.wait(for: limited, at: now, in: &buckets) { return wait }
            for one in limited { Self.drain(one, at: now, in: &buckets) }
            return nil
        }
    }

    /// Takes a token from each bucket that has one.
    package func drain(_ limited: [Limited], at now: Timestamp) {
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
