/// One reading of three clocks. An app reads them together and passes them in; this library reads no clock.
///
/// `sinceStart` and `awake` count from the same start of the program's choice, such as its launch.
public struct Moment: Equatable, Sendable {
    /// The time since the start, with the time in which the device slept: `ContinuousClock`.
    public let sinceStart: Duration
    /// The time since the start without the time in which the device slept: `SuspendingClock`.
    public let awake: Duration
    /// The calendar's time, since any fixed date. The user can set it.
    public let wall: Duration

    /// Creates a reading.
    public init(sinceStart: Duration, awake: Duration, wall: Duration) {
        self.sinceStart = sinceStart
        self.awake = awake
        self.wall = wall
    }

    /// The time that has passed since an earlier reading: the longest that one of the clocks counted.
    ///
    /// A clock that was set back, or that stood still while the device slept, cannot make the time shorter. A clock
    /// that was set forward makes it longer, and so an app locks too early and not too late.
    func elapsed(since earlier: Moment) -> Duration {
        max(sinceStart - earlier.sinceStart, awake - earlier.awake, wall - earlier.wall)
    }

    /// The part of the time since an earlier reading in which the device slept.
    func slept(since earlier: Moment) -> Duration {
        let difference = (sinceStart - earlier.sinceStart) - (awake - earlier.awake)
        return difference > Limits.clockSkew ? difference : .zero
    }
}
