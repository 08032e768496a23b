internal import Time

/// A calendar day in the form of metadata, `2026-11-22`, in UTC.
enum MetadataDate {
    /// A day in milliseconds.
    static let day: Int64 = 86_400_000

    /// Returns the beginning of the day, in milliseconds since 1970; nil if the text is not a day from 1970 to 9999.
    static func start(of text: String) -> Int64? {
        CivilTime.seconds(text + "T00:00:00Z").map { Int64($0) * 1_000 }
    }
}
