#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Timestamp {
    /// Returns the time by this machine's clock, which people can set.
    public static func now() -> Timestamp { Timestamp(milliseconds: reading(of: CLOCK_REALTIME)) }
}

extension ClockReading {
    /// Reads this machine's clocks. ``uptime`` and ``awake`` count from its start.
    public static func now() -> ClockReading {
        ClockReading(
            wall: .now(), uptime: Timestamp.Span(milliseconds: reading(of: continuousClock)),
            awake: Timestamp.Span(milliseconds: reading(of: suspendingClock)))
    }
}

#if canImport(Darwin)
    private let continuousClock = CLOCK_MONOTONIC
    private let suspendingClock = CLOCK_UPTIME_RAW
#else
    private let continuousClock = CLOCK_BOOTTIME
    private let suspendingClock = CLOCK_MONOTONIC
#endif

private func reading(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
