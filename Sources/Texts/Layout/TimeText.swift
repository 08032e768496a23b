internal import Time

extension Int64 {
    /// The day of a time in seconds since 1970, as text (ISO 8601).
    package var dayText: String { String(UInt64(clamping: self).timeText.prefix(10)) }
}

extension UInt64 {
    /// A time in seconds since 1970 as text (ISO 8601); for a time beyond the calendar, the number.
    package var timeText: String {
        self < 253_402_300_800 ? Timestamp(seconds: Int64(self)).rfc3339 : "\(self)"
    }
}
