/// One reading of a machine's clocks. A program reads them together and passes them to the libraries.
public struct ClockReading: Hashable, Sendable {
    /// The time by the clock that people can set.
    public let wall: Timestamp
    /// The time since a fixed moment, such as the start of the machine. This clock never goes back, and it goes on
    /// while the machine sleeps.
    public let uptime: Timestamp.Span
    /// The time since the same moment without the time in which the machine slept.
    public let awake: Timestamp.Span

    /// Creates a reading.
    ///
    /// - Parameter awake: nil on a machine that does not sleep: as long as `uptime`.
    public init(wall: Timestamp, uptime: Timestamp.Span, awake: Timestamp.Span? = nil) {
        self.wall = wall
        self.uptime = uptime
        self.awake = awake ?? uptime
    }
}
