/// How long a coordinator waits for its participants: a participant that is gone must not keep it waiting for good.
public struct Deadline: Sendable {
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// Creates a deadline.
    ///
    /// - Parameters:
    ///   - duration: for each participant; all are asked at once.
    ///   - clock: what it is measured with.
    public init(_ duration: Duration, clock: any Clock<Duration>) {
        self.duration = duration
        self.clock = clock
    }

    /// For the answers of one round: five minutes by the clock of this machine.
    public static var round: Deadline { Deadline(Limits.roundDeadline, clock: ContinuousClock()) }

    /// For each participant to hear that a ceremony is given up: ten seconds by the clock of this machine.
    public static var abort: Deadline { Deadline(Limits.abortDeadline, clock: ContinuousClock()) }

    /// Returns when the deadline has come, or the task is cancelled.
    func wait() async { try? await clock.sleep(for: duration) }
}
