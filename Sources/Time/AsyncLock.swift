internal import Synchronization

/// A lock for code that awaits: one task at a time has it, in the order of asking. An actor needs it where a call
/// awaits: in the meantime the actor starts its next call.
package final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates a lock that no task has.
    package init() {}

    /// Waits for the lock, also if the task is cancelled. Each call needs one call of ``unlock()``.
    package func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// The number of tasks that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Passes the lock to the task that has waited longest.
    package func unlock() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
