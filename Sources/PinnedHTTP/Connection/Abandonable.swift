internal import NIOCore
internal import Synchronization

/// Waits for a future, but not longer than the task is wanted.
enum Abandonable {
    /// Returns the future's outcome, or `CancellationError` at once if the task is cancelled.
    ///
    /// - Parameter late: receives the value if it comes after that.
    static func value<Value: Sendable>(
        of future: EventLoopFuture<Value>, late: @escaping @Sendable (Value) -> Void
    ) async -> Result<Value, any Error> {
        let slot = Slot<Value>()
        future.whenComplete { result in
            if !slot.fill(result), case .success(let value) = result { late(value) }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { slot.wait($0) }
        } onCancel: {
            _ = slot.fill(.failure(CancellationError()))
        }
    }

    /// A place for one outcome.
    private final class Slot<Value: Sendable>: Sendable {
        private struct State {
            var outcome: Result<Value, any Error>?
            var waiter: CheckedContinuation<Result<Value, any Error>, Never>?
        }

        private let state = Mutex(State())

        /// Returns whether the outcome is the first.
        func fill(_ outcome: Result<Value, any Error>) -> Bool {
            let (isFirst, waiter) = state.withLock { state in
                guard state.outcome == nil else {
                    return (false, nil as CheckedContinuation<Result<Value, any Error>, Never>?)
                }
                state.outcome = outcome
                return (true, state.waiter.take())
            }
            waiter?.resume(returning: outcome)
            return isFirst
        }

        func wait(_ continuation: CheckedContinuation<Result<Value, any Error>, Never>) {
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
