internal import Time

extension ClockReading {
    /// Returns the time that has passed since an earlier reading: the longest that one of the clocks counted.
    ///
    /// A clock that was set back, or that stood still while the device slept, cannot make the time shorter. A clock
    /// that was set forward makes it longer, and so an app locks too early and not too late.
    func elapsed(since earlier: ClockReading) -> Duration {
        max(uptime - earlier.uptime, awake - earlier.awake, wall.since(earlier.wall)).duration
    }

    /// Returns the part of the time since an earlier reading in which the device slept.
    func slept(since earlier: ClockReading) -> Duration {
        let difference = ((uptime - earlier.uptime) - (awake - earlier.awake)).duration
        return difference > Limits.clockSkew ? difference : .zero
    }
}
