internal import Secrets

/// Base64 with padding (RFC 4648, section 4) for secrets: from guarded memory to guarded memory, without tables, in time
/// that depends only on the size. Decoding is strict: each byte string has one text.
enum GuardedBase64 {
    static func encode(_ secret: borrowing SecretBytes) -> SecretBytes {
        let count = secret.count
        return SecretBytes(count: (count + 2) / 3 * 4) { text in
            secret.withUnsafeBytes { bytes in
                for group in 0..<(count + 2) / 3 {
                    let start = group * 3
                    let present = min(3, count - start)
                    var bits: UInt32 = 0
                    for offset in 0..<3 { bits = bits << 8 | (offset < present ? UInt32(bytes[start + offset]) : 0) }
                    for offset in 0..<4 {
                        let value = Int32(truncatingIfNeeded: bits >> UInt32(18 - 6 * offset) & 63)
                        text[group * 4 + offset] = offset <= present ? character(value) : UInt8(ascii: "=")
                    }
                }
            }
        }
    }

    /// Returns the bytes of a text; nil for missing characters, misplaced padding, other characters, and unused bits that
    /// are not zero.
    static func decode(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        guard text.count.isMultiple(of: 4), !text.isEmpty else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let characters = text.count - padding
        // Negative if any character is wrong. Checked at the end, so that the time does not tell where.
        var faults: Int32 = 0
        let decoded = SecretBytes(count: text.count / 4 * 3 - padding) { bytes in
            for group in 0..<text.count / 4 {
                var bits: UInt32 = 0
                for offset in 0..<4 {
                    let position = group * 4 + offset
                    let value = position < characters ? value(of: text[position]) : 0
                    faults |= value
                    bits = bits << 6 | UInt32(truncatingIfNeeded: value & 63)
                }
                for offset in 0..<3 {
                    let byte = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * offset))
                    if group * 3 + offset < bytes.count {
                        bytes[group * 3 + offset] = byte
                    } else {
                        faults |= -Int32(byte)
                    }
                }
            }
        }
        guard faults >= 0 else { return nil }
        return decoded
    }

    /// Returns -1 if `value` is in the range, and 0 otherwise.
    private static func mask(_ value: Int32, _ low: Int32, _ high: Int32) -> Int32 {
        ~((value - low) >> 31 | (high - value) >> 31)
    }

    private static func character(_ value: Int32) -> UInt8 {
        let upper = mask(value, 0, 25) & (value + 65)
        let lower = mask(value, 26, 51) & (value + 71)
        let digit = mask(value, 52, 61) & (value - 4)
        let other = mask(value, 62, 62) & 43 | mask(value, 63, 63) & 47
        return UInt8(truncatingIfNeeded: upper | lower | digit | other)
    }

    /// Returns the value of a character, -1 for a character outside the alphabet.
    private static func value(of character: UInt8) -> Int32 {
        let code = Int32(character)
        let upper = mask(code, 65, 90)
        let lower = mask(code, 97, 122)
        let digit = mask(code, 48, 57)
        let plus = mask(code, 43, 43)
        let slash = mask(code, 47, 47)
        return upper & (code - 65) | lower & (code - 71) | digit & (code + 4) | plus & 62 | slash & 63
            | ~(upper | lower | digit | plus | slash)
    }
}
