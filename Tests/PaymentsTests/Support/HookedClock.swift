import Synchronization
import TestSupport

/// A clock that does not wait, and that runs a test's closure in its first pause.
final class HookedClock: Clock {
    private struct State {
        var now: Duration = .zero
        var pauses = 0
        var hook: (@Sendable () async throws -> Void)?
        var failure: String?
    }

    private let state = Mutex(State())
    private let slowness: Int
    private let limit: Int

    /// - Parameters:
    ///   - slowness: the factor by which each pause is longer than requested.
    ///   - limit: the number of pauses after which each one ends as if its task were cancelled.
    init(slowness: Int = 1, limit: Int = .max) {
        self.slowness = slowness
        self.limit = limit
    }

    var now: HastyClock.Instant { HastyClock.Instant(offset: elapsed) }
    var minimumResolution: Duration { .zero }
    var elapsed: Duration { state.withLock(\.now) }
    /// The error of the first pause.
    var failure: String? { state.withLock(\.failure) }

    /// Runs the closure in the next pause, and nothing in those after it.
    func atFirstPause(_ hook: @escaping @Sendable () async throws -> Void) { state.withLock { $0.hook = hook } }

    func sleep(until deadline: HastyClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let hook = try state.withLock { state in
            state.pauses += 1
            if state.pauses > limit { throw CancellationError() }
            state.now += (deadline.offset - state.now) * slowness
            return state.hook.take()
        }
        do { try await hook?() } catch { state.withLock { $0.failure = "\(error)" } }
    }
}
