internal import Foundation
package import Texts
internal import Time

extension UInt64 {
    /// The present time in seconds since 1970.
    package static var now: UInt64 { UInt64(clamping: Timestamp.now().seconds) }
}

extension LocalTime {
    /// The time zone of this process: the variable `TZ` names it; otherwise it is the system's.
    package static var ofSystem: LocalTime { LocalTime(in: .current) }
}
