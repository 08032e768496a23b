internal import Secrets

/// Base64 (RFC 4648, section 4) of secrets, decoded in guarded memory, without branches or table look-ups that depend
/// on the characters' values.
enum SecretBase64 {
    /// Decodes a text of this many bytes; nil if it is not their one canonical text.
    static func decode(_ text: borrowing SecretBytes, bytes size: Int) -> SecretBytes? {
        let padding = (3 - size % 3) % 3
        guard size > 0, text.count == (size + 2) / 3 * 4 else { return nil }
        var invalid: UInt32 = 0
        let decoded = SecretBytes(count: size) { memory in
            text.withUnsafeBytes { text in
                var position = 0
                for group in stride(from: 0, to: text.count, by: 4) {
                    var word: UInt32 = 0
                    for offset in group..<(group + 4) {
                        // The positions of the padding are known from the size.
                        if offset >= text.count - padding {
                            invalid |= UInt32(text[offset] ^ UInt8(ascii: "="))
                            word <<= 6
                        } else {
                            let value = value(of: text[offset])
                            invalid |= value >> 8
                            word = word << 6 | value & 0x3F
                        }
                    }
                    for shift in [16, 8, 0] as [UInt32] {
                        let byte = UInt8(truncatingIfNeeded: word >> shift)
                        if position < size { memory[position] = byte } else { invalid |= UInt32(byte) }
                        position += 1
                    }
                }
            }
        }
        guard invalid == 0 else { return nil }
        return decoded
    }

    /// Returns the value of a character, 0...63, with bit 8 and higher ones set if it has none.
    private static func value(of character: UInt8) -> UInt32 {
        let character = Int32(character)
        /// All ones if the character is in the range, zeros otherwise.
        func mask(_ range: ClosedRange<Unicode.Scalar>) -> Int32 {
            let (low, high) = (Int32(range.lowerBound.value), Int32(range.upperBound.value))
            return ~((character - low) >> 31 | (high - character) >> 31)
        }
        var value: Int32 = 0
        var known: Int32 = 0
        for (range, offset) in [
            ("A"..."Z", -65), ("a"..."z", 26 - 97), ("0"..."9", 52 - 48), ("+"..."+", 62 - 43), ("/"..."/", 63 - 47),
        ] as [(ClosedRange<Unicode.Scalar>, Int32)] {
            let mask = mask(range)
            known |= mask
            value |= mask & (character + offset)
        }
        return UInt32(bitPattern: value & 0x3F) | (UInt32(bitPattern: ~known) & 0xFF00)
    }
}
