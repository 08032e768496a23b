public import Time

/// The time and the waiting of a client: a port, so that tests have a clock of their own.
public struct ExchangeClock: Sendable {
    /// Returns the time of this machine.
    public let now: @Sendable () -> Timestamp
    /// Returns the time since a moment in the past that does not change while the process runs. It never goes back, goes
    /// on while the machine sleeps, and is not changed by setting the time of day.
    public let uptime: @Sendable () -> Timestamp.Span
    /// Waits this long, or until the task is cancelled.
    public let wait: @Sendable (Timestamp.Span) async -> Void

    /// Creates a clock.
    public init(
        now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Timestamp.Span,
        wait: @escaping @Sendable (Timestamp.Span) async -> Void
    ) {
        self.now = now
        self.uptime = uptime
        self.wait = wait
    }

    /// The clock of this machine.
    public static let system = ExchangeClock(
        now: { .now() }, uptime: { ClockReading.now().uptime },
        wait: { span in try? await Task.sleep(for: span.duration) })
}

/// The clock of an exchange, as one answer told it.
struct ServerClock: Sendable {
    /// The exchange's time in the answer.
    let stamp: Timestamp
    /// This machine's time when the answer was complete.
    let received: Timestamp

    /// Returns the exchange's time: never later than the true one while this machine's clock runs evenly. The answer's
    /// travel time is not added. A request that is stamped too early loses a part of its window; one that is stamped
    /// too late would be refused, and could be accepted for longer than its window says.
    func time(at now: Timestamp) -> Timestamp { stamp.adding(now.since(received)) }

    /// Whether the difference has to be measured again: after a while, or if this machine's clock went back.
    func isStale(at now: Timestamp) -> Bool { now < received || now.since(received) > ExchangeLimits.clockAge }
}
