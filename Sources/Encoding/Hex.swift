/// Hexadecimal text, two digits for each byte (RFC 4648, section 8).
///
/// - Warning: for public data. The time depends on the bytes, and text cannot be wiped.
public enum Hex {
    /// Encodes bytes as lower-case digits.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0x0f))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes digits. Both cases are accepted, since the case carries no information; spaces, line breaks and `0x` are
    /// refused.
    ///
    /// - Throws: ``EncodingError/badCharacter(offset:)``, or ``EncodingError/truncated`` if the number of digits is
    ///   odd.
    public static func decode(_ text: String) throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for (offset, character) in text.utf8.enumerated() {
            guard let value = value(of: character) else { throw .badCharacter(offset: offset) }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { throw .truncated }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
    }

    /// Returns the value of a digit; nil for another character. The time depends on the digit.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
