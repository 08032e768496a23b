internal import Synchronization

/// A clock that does not wait: it records the requested durations.
public final class HastyClock: Clock {
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let offset: Duration
        public init(offset: Duration) { self.offset = offset }
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex<(now: Duration, pauses: [Duration])>((.zero, []))

    public var now: Instant { Instant(offset: state.withLock { $0.now }) }
    public var minimumResolution: Duration { .zero }
    /// The requested durations, in order.
    public var pauses: [Duration] { state.withLock { $0.pauses } }

    public init() {}

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.pauses.append(deadline.offset - state.now)
            state.now = deadline.offset
        }
    }
}
