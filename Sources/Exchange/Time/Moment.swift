/// A time, in milliseconds since 1970-01-01T00:00:00Z.
public struct Moment: Hashable, Comparable, Sendable {
    /// The milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: UInt64

    /// Creates a time.
    public init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    /// Returns whether one time is before another.
    public static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the time this many milliseconds later, at most the last one that can be represented.
    public func adding(_ milliseconds: UInt64) -> Moment {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Moment(milliseconds: overflow ? .max : sum)
    }

    /// Returns the milliseconds from an earlier time to this one; 0 if the other one is later.
    public func since(_ earlier: Moment) -> UInt64 {
        milliseconds > earlier.milliseconds ? milliseconds - earlier.milliseconds : 0
    }

    /// The text by RFC 3339 in UTC, in whole seconds, rounded down: `2021-04-01T00:18:45Z`.
    public var rfc3339: String {
        let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
        let (year, month, day) = Self.date(ofDay: days)
        func padded(_ value: UInt64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1_000 % 60, 2))Z"
    }

    /// Returns the date of a day since 1970-01-01. Years are counted from March, so that the leap day is the last.
    private static func date(ofDay day: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let shifted = day % 10_000_000 + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}
