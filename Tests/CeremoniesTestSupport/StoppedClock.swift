import Synchronization

/// A clock that stands still until it strikes; then every sleep ends.
final class StoppedClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex<(sleeps: [Duration], hasStruck: Bool, sleepers: [AsyncStream<Void>.Continuation])>(
        ([], false, []))

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    /// The durations of the requested sleeps.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (strike, sleeper) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            state.sleeps.append(deadline.offset)
            state.sleepers.append(sleeper)
            if state.hasStruck { sleeper.finish() }
        }
        for await _ in strike {}
    }

    func strike() {
        state.withLock { state in
            state.hasStruck = true
            for sleeper in state.sleepers { sleeper.finish() }
        }
    }
}
