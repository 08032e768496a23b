internal import Foundation
package import Texts

extension UInt64 {
    /// The present time in seconds since 1970.
    package static var now: UInt64 { UInt64(Swift.max(0, Date().timeIntervalSince1970)) }
}

extension LocalTime {
    /// The time zone of this process: the variable `TZ` names it; otherwise it is the system's.
    package static var ofSystem: LocalTime { LocalTime(in: .current) }
}
