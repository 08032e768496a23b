/// Tells what a generator drew from what a person named.
enum Randomness {
    /// Whether characters look drawn: their classes change often, and not only as those of words that are written
    /// together do.
    ///
    /// - Parameters:
    ///   - isWords: whether words can be written with the characters at all.
    ///   - isMarked: whether its prefix and its size are those of a token: then it need not change as often.
    static func isRandom(_ text: ScannedText.SubSequence, isWords: Bool = true, isMarked: Bool = false) -> Bool {
        var (changes, digits, lowers, uppers, last, different) = (0, 0, 0, 0, UInt8(0), UInt64(0))
        for byte in text {
            let kind: UInt8 = byte.isDigit ? 1 : byte.isLetter ? (byte == byte.lowercased ? 2 : 3) : 0
            switch kind {
            case 1: digits += 1
            case 2: lowers += 1
            case 3: uppers += 1
            default: break
            }
            if kind != last, kind != 0, last != 0 { changes += 1 }
            if kind != 0 { different |= 1 << UInt64(byte & 63) }
            last = kind
        }
        let count = digits + lowers + uppers
        // "xxxxxxxx" and "00000000" are examples.
        guard different.nonzeroBitCount >= min(6, count / 2) else { return false }
        guard isWords else { return digits > 0 || lowers > 0 && uppers > 0 || count >= 16 && lowers == 0 }
        if digits > 0, lowers + uppers > 0 {
            // Names of many words have few digits, in short parts.
            return changes * 7 >= count || isMarked && digits * 2 >= count
                || digits * 5 >= count && text.split(whereSeparator: { !$0.isAlphanumeric }).contains { $0.count >= 16 }
        }
        return lowers > 0 && uppers > 0 && changes * 5 >= (isMarked ? count : count * 2)
    }
}
