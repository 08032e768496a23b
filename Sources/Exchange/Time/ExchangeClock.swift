#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The time and the waiting of a client: a port, so that tests have a clock of their own.
public struct ExchangeClock: Sendable {
    /// Returns the time of this machine.
    public let now: @Sendable () -> Moment
    /// Returns the milliseconds since a moment in the past that does not change while the process runs. It never goes
    /// back, goes on while the machine sleeps, and is not changed by setting the time of day.
    public let uptime: @Sendable () -> UInt64
    /// Waits this many milliseconds, or until the task is cancelled.
    public let wait: @Sendable (UInt64) async -> Void

    /// Creates a clock.
    public init(
        now: @escaping @Sendable () -> Moment, uptime: @escaping @Sendable () -> UInt64,
        wait: @escaping @Sendable (UInt64) async -> Void
    ) {
        self.now = now
        self.uptime = uptime
        self.wait = wait
    }

    /// The clock of this machine.
    public static let system = ExchangeClock(
        now: { Moment(milliseconds: milliseconds(of: CLOCK_REALTIME)) },
        uptime: { milliseconds(of: continuousClock) },
        wait: { milliseconds in try? await Task.sleep(for: .milliseconds(Int64(clamping: milliseconds))) })
}

#if canImport(Darwin)
    /// The clock that goes on while the machine sleeps.
    private let continuousClock = CLOCK_MONOTONIC
#else
    /// The clock that goes on while the machine sleeps.
    private let continuousClock = CLOCK_BOOTTIME
#endif

private func milliseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(max(0, time.tv_nsec)) / 1_000_000
}

/// The clock of an exchange, as one answer told it.
struct ServerClock: Sendable {
    /// The exchange's time in the answer.
    let stamp: Moment
    /// This machine's time when the answer was complete.
    let received: Moment

    /// Returns the exchange's time: never later than the true one while this machine's clock runs evenly. The answer's
    /// travel time is not added. A request that is stamped too early loses a part of its window; one that is stamped
    /// too late would be refused, and could be accepted for longer than its window says.
    func time(at now: Moment) -> Moment { stamp.adding(now.since(received)) }

    /// Whether the difference has to be measured again: after a while, or if this machine's clock went back.
    func isStale(at now: Moment) -> Bool { now < received || now.since(received) > ExchangeLimits.clockAge }
}
