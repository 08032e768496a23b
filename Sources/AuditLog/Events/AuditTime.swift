#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A moment by the clocks of a machine. Each log gets it from a function that it is given.
public struct AuditTime: Hashable, Sendable {
    /// Milliseconds since 1970-01-01 00:00:00 UTC by the clock on the wall, which people can set.
    public let wall: Int64
    /// Milliseconds since the machine or the program started, by a clock that never goes back.
    public let uptime: UInt64

    /// Creates a moment.
    public init(wall: Int64, uptime: UInt64) {
        self.wall = wall
        self.uptime = uptime
    }

    /// Returns the time by the clocks of this machine.
    public static func now() -> AuditTime {
        // The monotonic clock has started with the machine, so that it is not negative.
        AuditTime(wall: milliseconds(of: CLOCK_REALTIME), uptime: UInt64(max(0, milliseconds(of: CLOCK_MONOTONIC))))
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
