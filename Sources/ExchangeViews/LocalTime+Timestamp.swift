internal import Texts
internal import Time

extension LocalTime {
    /// Returns the date and time of day, for people.
    func text(_ time: Timestamp) -> String { text(UInt64(clamping: time.seconds)) }
    /// Returns the time of day with seconds, for people.
    func clockText(_ time: Timestamp) -> String { clockText(UInt64(clamping: time.seconds)) }
}
