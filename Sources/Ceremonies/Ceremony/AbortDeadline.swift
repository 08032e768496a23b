/// How long a coordinator that gives a ceremony up waits for each participant to hear of it. A participant that is gone must not keep the
/// coordinator waiting for good.
public struct AbortDeadline: Sendable {
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - duration: for each participant; all are told at once.
    ///   - clock: what it is measured with.
    public init(_ duration: Duration, clock: any Clock<Duration>) {
        self.duration = duration
        self.clock = clock
    }

    /// Ten seconds by the clock of this machine.
    public static var standard: AbortDeadline { AbortDeadline(Limits.abortDeadline, clock: ContinuousClock()) }

    /// Returns when the deadline has come, or the task is cancelled.
    func wait() async { try? await clock.sleep(for: duration) }
}
