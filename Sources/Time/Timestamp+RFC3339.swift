extension Timestamp {
    /// The text by RFC 3339 section 5.6 in UTC, in whole seconds, rounded down: `2021-04-01T00:18:45Z`. A year after
    /// 9999 has more digits, and one before 0 a sign; the RFC has neither.
    public var rfc3339: String {
        let (day, second) = seconds.dividedDown(by: 86_400)
        let (year, month, dayOfMonth) = CivilTime.date(ofDay: day)
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))T"
            + "\(Self.padded(second / 3_600, 2)):\(Self.padded(second / 60 % 60, 2)):\(Self.padded(second % 60, 2))Z"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value.magnitude)
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
