/// Base58: a byte string as one number in base 58, with a `1` for each leading zero byte.
enum Base58 {
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

    /// The value of each ASCII character; 255 for a character outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 128)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let zeros = bytes.prefix { $0 == 0 }.count
        // The digits of the number, lowest first.
        var digits: [UInt8] = []
        for byte in bytes.dropFirst(zeros) {
            var carry = Int(byte)
            for position in digits.indices {
                carry += Int(digits[position]) << 8
                digits[position] = UInt8(carry % 58)
                carry /= 58
            }
            while carry > 0 {
                digits.append(UInt8(carry % 58))
                carry /= 58
            }
        }
        return [UInt8](repeating: alphabet[0], count: zeros) + digits.reversed().map { alphabet[Int($0)] }
    }

    /// Returns the highest number of characters for a number of bytes: log 256 / log 58 = 1.366 for each.
    static func mostCharacters(for byteCount: Int) -> Int { byteCount * 138 / 100 + 1 }

    /// Decodes a text. The work grows with the square of its length, which the caller limits.
    static func decode(_ text: String) throws(EncodingError) -> [UInt8] {
        var zeros = 0
        // The bytes of the number, lowest first.
        var bytes: [UInt8] = []
        for (offset, character) in text.utf8.enumerated() {
            guard character < 128, case let value = values[Int(character)], value != 255 else {
                throw .badCharacter(offset: offset)
            }
            if value == 0, zeros == offset {
                zeros += 1
                continue
            }
            var carry = Int(value)
            for position in bytes.indices {
                carry += Int(bytes[position]) * 58
                bytes[position] = UInt8(carry & 0xff)
                carry >>= 8
            }
            if carry > 0 { bytes.append(UInt8(carry)) }
        }
        return [UInt8](repeating: 0, count: zeros) + bytes.reversed()
    }
}
