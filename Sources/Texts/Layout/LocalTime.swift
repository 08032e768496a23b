package import Foundation

/// Times for people, in their time zone. Programs use ``Swift/UInt64/timeText``, which is the same everywhere.
package struct LocalTime: Sendable {
    private let zone: TimeZone

    /// - Parameter zone: the user's time zone: `TimeZone.current`, which the variable `TZ` sets.
    package init(in zone: TimeZone) { self.zone = zone }

    /// Returns `2026-11-25 10:14`; for a time beyond the calendar, the number of seconds.
    ///
    /// - Parameter seconds: since 1970.
    package func text(_ seconds: UInt64) -> String { text(seconds, "yyyy-MM-dd HH:mm") }

    /// Returns `2026-11-25 10:14 +01:00`, for a time that a person waits for.
    package func zonedText(_ seconds: UInt64) -> String { text(seconds, "yyyy-MM-dd HH:mm xxx") }

    /// Returns `2026-11-25 10:14:09 +01:00`, with the offset of the time zone.
    package func fullText(_ seconds: UInt64) -> String { text(seconds, "yyyy-MM-dd HH:mm:ss xxx") }

    /// Returns `10:14:09`, for a line that is shown at about this time.
    package func clockText(_ seconds: UInt64) -> String { text(seconds, "HH:mm:ss") }

    /// Returns the time at which clocks of the time zone show what a clock of UTC shows at the given one. If a change of
    /// clocks skips it, the first time after the change; if one repeats it, the first of the two.
    ///
    /// - Parameter seconds: since 1970, in the years 1970 to 9999.
    /// - Returns: seconds since 1970; nil for a time before.
    package func seconds(ofUTC seconds: UInt64) -> UInt64? {
        var (here, utc) = (Calendar(identifier: .gregorian), Calendar(identifier: .gregorian))
        (here.timeZone, utc.timeZone) = (zone, .gmt)
        let shown = utc.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
        return here.date(from: shown).flatMap { UInt64(exactly: $0.timeIntervalSince1970) }
    }

    private func text(_ seconds: UInt64, _ format: String) -> String {
        guard seconds < 253_402_300_800 else { return "\(seconds)" }
        let formatter = DateFormatter()
        // Digits and a calendar that are the same in every country.
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
