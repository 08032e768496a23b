/// Dates of the Gregorian calendar in UTC, as seconds since 1970.
package enum CivilTime {
    /// Returns seconds since 1970; nil for a day or time that does not exist, or a year outside of 1970...9999.
    package static func seconds(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> UInt64? {
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
    package static func seconds(_ text: String) -> UInt64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        for (position, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z")] {
            guard bytes[position] == mark.utf8.first else { return nil }
        }
        let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap { decimal(bytes[$0]) }
        guard numbers.count == 6 else { return nil }
        return seconds(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
    }

    /// Returns the date of a day since 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the
    /// leap day is the last of its year.
    static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // The days of 400 years, after which the calendar repeats.
        let cycle: Int64 = 146_097
        let shifted = day + 719_468
        let (cycles, dayOfCycle) = shifted.dividedDown(by: cycle)
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfCycle + cycles * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    private static func daysOfMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Reads decimal digits; nil for another character.
    private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = 10 * number + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}

extension Int64 {
    /// Returns the quotient, rounded down also for a negative number, and the remainder, which is not negative.
    func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = (self % divisor + divisor) % divisor
        return ((self - remainder) / divisor, remainder)
    }
}
