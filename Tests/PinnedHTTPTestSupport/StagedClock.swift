import Synchronization
import TestSupport

/// A clock without time: a sleep ends when the test says so. A sleep is named by its duration.
final class StagedClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let duration: Duration
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var lastID = 0
        /// The durations of all sleeps that were begun.
        var begun: [Duration] = []
        /// Sleeps of these durations end at once, and are recorded.
        var passing: Set<Duration>
        var passed: [Duration] = []
    }

    private let state: Mutex<State>

    init(passing: Set<Duration> = []) { state = Mutex(State(passing: passing)) }

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    /// The sleeps that have ended at once.
    var passed: [Duration] { state.withLock { $0.passed } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id: Int? = state.withLock { state in
            if state.passing.contains(deadline.offset) {
                state.passed.append(deadline.offset)
                return nil
            }
            state.lastID += 1
            state.begun.append(deadline.offset)
            return state.lastID
        }
        guard let id else { return try Task.checkCancellation() }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.contains(id) { return true }
                    state.sleepers.append(Sleeper(id: id, duration: deadline.offset, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            let sleeper: Sleeper? = state.withLock { state in
                state.cancelled.insert(id)
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(returning: false)
        }
        guard isOver else { throw CancellationError() }
    }

    /// Waits for a sleep of this duration, and ends it.
    func end(_ duration: Duration) async throws {
        try await Patience.wait(for: "a sleep of \(duration)") {
            let sleeper: Sleeper? = state.withLock { state in
                guard let index = state.sleepers.firstIndex(where: { $0.duration == duration }) else { return nil }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(returning: true)
            return sleeper != nil
        }
    }

    /// Returns how many sleeps of this duration were begun.
    func begun(_ duration: Duration) -> Int { state.withLock { $0.begun.count { $0 == duration } } }

    /// Returns how many sleeps of this duration wait.
    func count(_ duration: Duration) -> Int { state.withLock { $0.sleepers.count { $0.duration == duration } } }
}
