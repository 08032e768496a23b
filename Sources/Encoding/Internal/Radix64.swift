/// The common part of RFC 4648's two alphabets with 64 characters: six bits in each character, first bits first.
struct Radix64 {
    static let standard = Radix64(lastTwo: (UInt8(ascii: "+"), UInt8(ascii: "/")))
    static let url = Radix64(lastTwo: (UInt8(ascii: "-"), UInt8(ascii: "_")))

    /// The 64 characters, in the order of their values.
    private let characters: [UInt8]
    /// The value of each of the 256 bytes; ``none`` for bytes outside the alphabet.
    private let values: [UInt8]
    private static let none: UInt8 = 0xff

    /// - Parameter lastTwo: the characters of 62 and 63, in which the alphabets differ.
    private init(lastTwo: (UInt8, UInt8)) {
        characters =
            Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + [lastTwo.0, lastTwo.1]
        var values = [UInt8](repeating: Self.none, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    /// Encodes bytes, without padding. It takes an array, because a generic function is eight times as slow for callers
    /// in other modules.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        let (whole, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let length = 4 * whole + (rest == 0 ? 0 : rest + 1)
        return [UInt8](unsafeUninitializedCapacity: length) { text, count in
            for group in 0..<whole {
                let bits =
                    UInt32(bytes[3 * group]) << 16 | UInt32(bytes[3 * group + 1]) << 8
                    | UInt32(bytes[3 * group + 2])
                text[4 * group] = characters[Int(bits >> 18)]
                text[4 * group + 1] = characters[Int(bits >> 12 & 0x3f)]
                text[4 * group + 2] = characters[Int(bits >> 6 & 0x3f)]
                text[4 * group + 3] = characters[Int(bits & 0x3f)]
            }
            if rest > 0 {
                let bits = UInt32(bytes[3 * whole]) << 16 | (rest == 2 ? UInt32(bytes[3 * whole + 1]) << 8 : 0)
                for character in 0...rest {
                    text[4 * whole + character] = characters[Int(bits >> UInt32(18 - 6 * character) & 0x3f)]
                }
            }
            count = length
        }
    }

    /// Decodes characters without padding.
    func decode(_ text: ArraySlice<UInt8>) throws(EncodingError) -> [UInt8] {
        var bits: UInt32 = 0
        var count = 0
        var wrong: Int?
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { bytes, filled in
            for (offset, character) in text.enumerated() {
                let value = values[Int(character)]
                guard value != Self.none else {
                    wrong = offset
                    return
                }
                bits = bits << 6 | UInt32(value)
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes[filled] = UInt8(bits >> UInt32(count))
                    filled += 1
                    bits &= (1 << UInt32(count)) - 1
                }
            }
        }
        if let wrong { throw .badCharacter(offset: wrong) }
        // Six bits left over are a character that begins a byte and does not end it.
        guard count < 6 else { throw .truncated }
        guard bits == 0 else { throw .notCanonical }
        return bytes
    }

    func allows(_ character: UInt8) -> Bool { values[Int(character)] != Self.none }
}
