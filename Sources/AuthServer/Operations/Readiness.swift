internal import Synchronization

/// Whether the store takes a write: what `/readyz` answers.
///
/// A probe writes a row, as a request does: a full disk, a lost connection and a server that has become a standby refuse it. One
/// probe runs at a time and its result counts for a moment, so that however often somebody asks, the store is written to once a
/// second; and a probe that the store does not answer is waited for no longer than its time limit.
final class Readiness: Sendable {
    private struct State {
        /// The last result, and when it was found.
        var last: (isReady: Bool, at: ContinuousClock.Instant)?
        var isProbing = false
        /// The number of the probe that runs, or ran last.
        var probe = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let patience: Duration
    private let age: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: how long a caller waits for the store.
    ///   - age: for how long a result counts.
    init(
        patience: Duration = .milliseconds(Limits.readinessMilliseconds),
        age: Duration = .milliseconds(Limits.readinessAgeMilliseconds)
    ) {
        self.patience = patience
        self.age = age
    }

    /// Returns whether the probe's write was committed in time.
    ///
    /// - Parameter probe: writes a row.
    func isReady(_ probe: @escaping @Sendable () async throws -> Void) async -> Bool {
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

    /// - Parameters:
    ///   - number: of the probe.
    ///   - isResult: whether the probe has ended; else a caller's patience has.
    private func answer(_ isReady: Bool, of number: Int, isResult: Bool) {
        let callers = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            // Patience that ends after the result ends nothing.
            guard state.isProbing, state.probe == number else { return [] }
            if isResult { state.isProbing = false }
            state.last = (isReady, .now)
            defer { state.waiting = [] }
            return state.waiting
        }
        for caller in callers { caller.resume(returning: isReady) }
    }
}
