/// The time that has passed on a clock.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Starts the measurement at zero.
    init(_ clock: any Clock<Duration>) { read = Self.start(clock) }

    /// The time since the start.
    var elapsed: Duration { read() }

    private static func start<Time: Clock>(_ clock: Time) -> @Sendable () -> Duration
    where Time.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
