/// A calendar day in the form of metadata, `2026-11-22`, in UTC.
enum MetadataDate {
    /// A day in milliseconds.
    static let day: Int64 = 86_400_000

    /// Returns the beginning of the day, in milliseconds since 1970; nil if the text is not a day from 1970 to 9999.
    static func start(of text: String) -> Int64? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2],
            parts.joined().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3 else { return nil }
        let (year, month, date) = (numbers[0], numbers[1], numbers[2])
        guard year >= 1970, (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[Int(month) - 1]).contains(date) else { return nil }
        // Days of whole years: one more for each leap year since 1970.
        let past = year - 1
        let leapDays = past / 4 - past / 100 + past / 400 - 477
        let days = (year - 1970) * 365 + leapDays + lengths.prefix(Int(month) - 1).reduce(0, +) + date - 1
        return days * day
    }
}
