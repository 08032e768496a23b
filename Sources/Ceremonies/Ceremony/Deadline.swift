/// The time for which a coordinator waits for its participants, so that a missing one cannot delay it for ever.
public struct Deadline: Sendable {
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// Creates a deadline.
    ///
    /// - Parameters:
    ///   - duration: the time for each participant; all are asked at once.
    ///   - clock: the clock that measures it.
    public init(_ duration: Duration, clock: any Clock<Duration>) {
        self.duration = duration
        self.clock = clock
    }

    /// The deadline of one round: five minutes by the clock of this machine.
    public static var round: Deadline { Deadline(Limits.roundDeadline, clock: ContinuousClock()) }

    /// The deadline for participants to receive an abort: ten seconds by the clock of this machine.
    public static var abort: Deadline { Deadline(Limits.abortDeadline, clock: ContinuousClock()) }

    /// Returns when the deadline has come, or the task is cancelled.
    func wait() async { try? await clock.sleep(for: duration) }
}
