package import Time

/// A line of the log, as JSON without white space, written directly into one byte array.
///
/// A server writes a line for every request. A tree of JSON values, a dictionary and a sorted list would cost more than
/// many requests.
package struct LogLine {
    /// The line so far. It is complete after ``finish()``.
    package private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - time: the time of the line.
    ///   - times: the formatter of the time.
    ///   - level: the level of the log message.
    package init(at time: Timestamp, _ times: LogTimes, level: String, message: String) {
        // The line of a request has about 300 bytes: this capacity avoids a second allocation.
        bytes.reserveCapacity(448)
        append("{\"at\":\"")
        times.append(time, to: &bytes)
        append("\"")
        add("level", level)
        add("message", message)
    }

    /// Adds a member with a text.
    package mutating func add(_ name: StaticString, _ text: String) {
        begin(name)
        quote(text)
    }

    /// Adds a text member whose name is only known at run time.
    package mutating func add(named name: String, _ text: String) {
        append(",")
        quote(name)
        append(":")
        quote(text)
    }

    /// Adds a member with a whole number.
    package mutating func add(_ name: StaticString, _ number: Int64) {
        begin(name)
        append(decimal: number)
    }

    /// Adds a member with a number of milliseconds, with three decimals.
    ///
    /// - Parameter microseconds: the time, not negative.
    package mutating func add(_ name: StaticString, milliseconds microseconds: Int64) {
        begin(name)
        let whole = max(0, microseconds)
        append(decimal: whole / 1000)
        let rest = UInt16(whole % 1000)
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(rest / 100))
        bytes.append(UInt8(ascii: "0") + UInt8(rest / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
    }

    /// Ends the line.
    ///
    /// - Returns: its bytes, including the line feed.
    package consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func begin(_ name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(decimal number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            // Nearly every text needs no escapes and is copied as a whole.
            if text.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: text)
            } else {
                escape(text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            // RFC 8259 section 7 requires escapes below U+0020. U+007F moves the cursor of some terminals.
            case 0..<0x20, 0x7f:
                append("\\u00")
                for digit in [byte >> 4, byte & 15] {
                    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                }
            default: bytes.append(byte)
            }
        }
    }
}
