package import AuthAPI
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
            if kept.second != second { kept = Kept(second: second, text: Self.seconds(second)) }
            bytes.append(contentsOf: kept.text)
        }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(milliseconds / 100))
        bytes.append(UInt8(ascii: "0") + UInt8(milliseconds / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(milliseconds % 10))
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Returns the present time.
    package static func now() -> Timestamp { .now() }

    /// Returns the text of a time with seconds, for people: `2026-11-22T22:35:38Z`.
    package static func text(_ time: Timestamp) -> String {
        String(decoding: seconds(time.seconds), as: UTF8.self) + "Z"
    }

    private static func seconds(_ seconds: Int64) -> [UInt8] {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text: [UInt8] = []
        func add(_ number: Int32, digits: Int, before: UInt8? = nil) {
            if let before { text.append(before) }
            let start = text.count
            var rest = max(0, number)
            for _ in 0..<digits {
                text.append(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            }
            text[start...].reverse()
        }
        add(parts.tm_year + 1900, digits: 4)
        add(parts.tm_mon + 1, digits: 2, before: UInt8(ascii: "-"))
        add(parts.tm_mday, digits: 2, before: UInt8(ascii: "-"))
        add(parts.tm_hour, digits: 2, before: UInt8(ascii: "T"))
        add(parts.tm_min, digits: 2, before: UInt8(ascii: ":"))
        add(parts.tm_sec, digits: 2, before: UInt8(ascii: ":"))
        return text
    }
}
