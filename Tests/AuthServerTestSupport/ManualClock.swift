internal import Synchronization
internal import Time

/// A clock that only advances when a test tells it to.
final class ManualClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp) { self.time = Mutex(time) }

    var now: Timestamp { time.withLock { $0 } }

    func advance(_ span: Timestamp.Span) { time.withLock { $0 = $0.adding(span) } }
}
