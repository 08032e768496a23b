/// What the two alphabets of RFC 4648 with 64 characters have in common: six bits a character, first bits first.
struct Radix64 {
    static let standard = Radix64(lastTwo: (UInt8(ascii: "+"), UInt8(ascii: "/")))
    static let url = Radix64(lastTwo: (UInt8(ascii: "-"), UInt8(ascii: "_")))

    /// The characters of 62 and 63: the alphabets differ in nothing else.
    let lastTwo: (UInt8, UInt8)

    /// The characters, without padding. Of an array, because what is generic here is eight times as slow to callers elsewhere.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(character(UInt8(bits >> UInt32(count) & 0x3f)))
            }
            bits &= (1 << UInt32(count)) - 1
        }
        if count > 0 { text.append(character(UInt8(bits << UInt32(6 - count) & 0x3f))) }
        return text
    }

    /// The bytes of characters without padding.
    func decode(_ text: ArraySlice<UInt8>) throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for (offset, character) in text.enumerated() {
            guard let value = value(of: character) else { throw .badCharacter(offset: offset) }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        // Six bits over are a character that begins a byte and does not end it.
        guard count < 6 else { throw .truncated }
        guard bits == 0 else { throw .notCanonical }
        return bytes
    }

    func allows(_ character: UInt8) -> Bool { value(of: character) != nil }

    private func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: lastTwo.0
        default: lastTwo.1
        }
    }

    private func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case lastTwo.0: 62
        case lastTwo.1: 63
        default: nil
        }
    }
}
