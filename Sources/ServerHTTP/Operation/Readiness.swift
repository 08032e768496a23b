internal import Synchronization

/// The check whether the store accepts a write: the answer of `/readyz`.
///
/// A probe writes a row, like a request: a full disk, a lost connection and a server that has become a standby refuse
/// it. One probe runs at a time, and its result is reused for a moment: however often clients ask, the store is written
/// to about once a second. If the store does not answer a probe, callers wait no longer than their time limit.
package final class Readiness: Sendable {
    private struct State {
        /// The last result, and its time.
        var last: (isReady: Bool, at: ContinuousClock.Instant)?
        var isProbing = false
        /// The number of the running probe, or of the last one.
        var probe = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let patience: Duration
    private let age: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: the time that a caller waits for the store.
    ///   - age: the time for which a result is reused.
    package init(
        patience: Duration = .milliseconds(ServerHTTPLimits.readinessMilliseconds),
        age: Duration = .milliseconds(ServerHTTPLimits.readinessAgeMilliseconds)
    ) {
        self.patience = patience
        self.age = age
    }

    /// Returns whether the write of the probe was committed in time.
    ///
    /// - Parameter probe: a closure that writes a row.
    package func isReady(_ probe: @escaping @Sendable () async throws -> Void) async -> Bool {
        await withCheckedContinuation { caller in
            let (known, number, mustStart) = state.withLock { state -> (Bool?, Int, Bool) in
                if let last = state.last, ContinuousClock.now - last.at < age { return (last.isReady, 0, false) }
                state.waiting.append(caller)
                let mustStart = !state.isProbing
                if mustStart { state.probe += 1 }
                state.isProbing = true
                return (nil, state.probe, mustStart)
            }
            if let known { return caller.resume(returning: known) }
            Task {
                try? await Task.sleep(for: patience)
                answer(false, of: number, isResult: false)
            }
            guard mustStart else { return }
            Task {
                do {
                    try await probe()
                    answer(true, of: number, isResult: true)
                } catch {
                    answer(false, of: number, isResult: true)
                }
            }
        }
    }

    /// Answers the waiting callers.
    ///
    /// - Parameters:
    ///   - number: the number of the probe.
    ///   - isResult: true if the probe has ended; false if a caller's time limit has passed.
    private func answer(_ isReady: Bool, of number: Int, isResult: Bool) {
        let callers = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            // A time limit that passes after the result changes nothing.
            guard state.isProbing, state.probe == number else { return [] }
            if isResult { state.isProbing = false }
            state.last = (isReady, .now)
            defer { state.waiting = [] }
            return state.waiting
        }
        for caller in callers { caller.resume(returning: isReady) }
    }
}
