internal import Foundation

extension UInt64 {
    /// Seconds since 1970.
    static var now: UInt64 { UInt64(Swift.max(0, Date().timeIntervalSince1970)) }
}
