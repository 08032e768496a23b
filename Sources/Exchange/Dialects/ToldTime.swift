internal import Time

extension Timestamp {
    /// Creates the time that an exchange tells, in milliseconds since 1970. A number that is too large becomes the last
    /// time.
    init(told milliseconds: UInt64) { self.init(milliseconds: Int64(clamping: milliseconds)) }

    /// Reads the milliseconds of a message; nil after the year 9999, which no clock means.
    init?(ofStream milliseconds: UInt64) {
        guard milliseconds < 253_402_300_800_000 else { return nil }
        self.init(told: milliseconds)
    }
}
