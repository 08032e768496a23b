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

/// Dates of the Gregorian calendar in UTC, as seconds since 1970.
enum CivilTime {
    /// Returns seconds since 1970; nil for a day or time that does not exist, or a year outside of 1970...9999.
    static func seconds(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> UInt64? {
        guard (1970...9999).contains(year), (1...12).contains(month),
            (1...daysOfMonth(month, year: year)).contains(day), (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<60).contains(second)
        else { return nil }
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400)
        var days = (year - 1970) * 365 + leapDays + day - 1
        for earlier in 1..<month { days += daysOfMonth(earlier, year: year) }
        return UInt64(((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    /// Reads `2027-06-30T00:00:00Z` (RFC 3339, in UTC and without fractions).
    static func seconds(_ text: String) -> UInt64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        for (position, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z")] {
            guard bytes[position] == mark.utf8.first else { return nil }
        }
        let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap { AnswerHead.decimal(bytes[$0]) }
        guard numbers.count == 6 else { return nil }
        return seconds(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
    }

    private static func daysOfMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
