internal import Synchronization
package import Time

/// Formats times in UTC by ISO 8601: `2026-11-22T22:35:38.120Z`. The text of each second is made once and kept: under
/// load thousands of lines share it.
package final class LogTimes: Sendable {
    private struct Kept {
        var second: Int64?
        var text: [UInt8] = []
    }

    private let kept = Mutex(Kept())

    package init() {}

    /// Appends the text of a time to `bytes`.
    package func append(_ time: Timestamp, to bytes: inout [UInt8]) {
        let second = time.seconds
        let milliseconds = UInt16(time.milliseconds - second * 1000)
        kept.withLock { kept in
            if kept.second != second { kept = Kept(second: second, text: [UInt8](time.rfc3339.utf8.dropLast())) }
            bytes.append(contentsOf: kept.text)
        }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(milliseconds / 100))
        bytes.append(UInt8(ascii: "0") + UInt8(milliseconds / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(milliseconds % 10))
        bytes.append(UInt8(ascii: "Z"))
    }
}
