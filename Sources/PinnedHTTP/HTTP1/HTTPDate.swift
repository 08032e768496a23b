internal import Time

/// The date of an answer: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Reads a date in the one form that servers have to send.
    ///
    /// - Returns: seconds since 1970; nil for another form, or a date before 1970 or after 9999.
    static func seconds(_ text: String) -> UInt64? {
        let fields = text.split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 6, text.utf8.count == 29, fields[5] == "GMT", weekdays.contains(String(fields[0])),
            fields[1].utf8.count == 2, fields[3].utf8.count == 4,
            let day = AnswerHead.decimal(fields[1].utf8), let year = AnswerHead.decimal(fields[3].utf8),
            let month = months.firstIndex(of: String(fields[2]))
        else { return nil }
        let clock = fields[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, clock.allSatisfy({ $0.utf8.count == 2 }),
            let hour = AnswerHead.decimal(clock[0].utf8), let minute = AnswerHead.decimal(clock[1].utf8),
            let second = AnswerHead.decimal(clock[2].utf8)
        else { return nil }
        return CivilTime.seconds(
            year: year, month: month + 1, day: day, hour: hour, minute: minute, second: min(second, 59))
    }

    private static let weekdays: Set = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
