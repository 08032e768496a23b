/// The number of attempts of a request to a node, its time-out, and the pauses. For reading only: a broadcast is never
/// repeated automatically.
///
/// This is the only repetition: the client below should make one attempt for each request, as that of a
/// ``NodeConnection`` does.
public struct NodeRetryPolicy: Sendable {
    private let attempts: Int
    private let firstPause: Duration
    private let clock: any Clock<Duration>
    /// The time-out of one answer, from the first byte of the request to the last of the answer.
    let answerTimeout: Duration

    /// Creates the rule for repeated questions.
    ///
    ///   - attempts: the number of attempts, at least 1.
    ///   - firstPause: the pause before the second attempt; it doubles with each further one.
    ///   - answerTimeout: the time-out of each answer, except those that take a node long.
    ///   - clock: the clock that measures the pauses.
    public init(
        attempts: Int = NodeLimits.attempts, firstPause: Duration = NodeLimits.firstPause,
        answerTimeout: Duration = NodeLimits.answerTimeout, clock: any Clock<Duration>
    ) {
        precondition(attempts >= 1, "a question is asked at least once")
        self.attempts = attempts
        self.firstPause = firstPause
        self.answerTimeout = answerTimeout
        self.clock = clock
    }

    /// Repeats a request until there is an answer, a permanent error, or no attempt left.
    func read<Answer>(_ ask: () async throws(NodeError) -> Answer) async throws(NodeError) -> Answer {
        var pause = firstPause
        for _ in 1..<attempts {
            do throws(NodeError) {
                return try await ask()
            } catch {
                guard error.mayMend else { throw error }
            }
            try await wait(pause)
            pause *= 2
        }
        return try await ask()
    }

    /// Waits before another attempt.
    func wait(_ pause: Duration) async throws(NodeError) {
        do { try await clock.sleep(for: pause) } catch { throw .cancelled }
    }
}
