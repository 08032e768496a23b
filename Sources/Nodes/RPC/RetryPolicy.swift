/// How often a question is asked, and how long we wait for its answer and in between. For reading only: a broadcast is never repeated by itself.
public struct RetryPolicy: Sendable {
    private let attempts: Int
    private let firstPause: Duration
    private let clock: any Clock<Duration>
    /// For one answer, from the first byte of the question to the last of the answer.
    let answerTimeout: Duration

    /// Creates the rule for repeated questions.
    ///
    /// - Parameters:
    ///   - attempts: at least 1.
    ///   - firstPause: before the second attempt; it doubles with each one more.
    ///   - answerTimeout: for each answer, except those that take a node long.
    ///   - clock: what the pauses are measured with.
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

    /// Asks until there is an answer, an error that more attempts would not mend, or the last attempt was made.
    func read<Answer>(_ ask: () async throws(NodeError) -> Answer) async throws(NodeError) -> Answer {
        var pause = firstPause
        for _ in 1..<attempts {
            do throws(NodeError) {
                return try await ask()
            } catch {
                guard error.mayMend else { throw error }
            }
            do { try await clock.sleep(for: pause) } catch { throw .cancelled }
            pause *= 2
        }
        return try await ask()
    }
}
