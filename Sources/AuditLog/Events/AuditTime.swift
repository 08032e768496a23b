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
}
