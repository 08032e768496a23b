internal import Foundation

extension UInt64 {
    /// Seconds since 1970.
    package static var now: UInt64 { UInt64(Swift.max(0, Date().timeIntervalSince1970)) }

    /// Seconds since 1970, as people read them (ISO 8601); what lies beyond all calendars as its number.
    package var timeText: String {
        self < 253_402_300_800 ? Date(timeIntervalSince1970: TimeInterval(self)).ISO8601Format() : "\(self)"
    }
}
