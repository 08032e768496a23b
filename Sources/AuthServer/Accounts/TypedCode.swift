internal import Crypto

/// The text of a code that a person types: 19 bytes and a check byte, in Crockford's base 32, eight groups of four
/// characters: `XXXX-XXXX-…`.
///
/// The check byte is the first byte of SHA-256 over the code's kind and the other bytes: of 256 codes that are
/// mistyped, or typed into the wrong field, 255 are refused without a look-up.
enum TypedCode {
    /// The kind of a code: its purpose.
    enum Kind: String {
        case recovery = "recovery code"
        case invitation
    }

    static let size = 19

    /// Returns the text of a code: its bytes and a check byte, in groups of four characters.
    ///
    /// - Parameter bytes: the ``size`` bytes of the code.
    static func text(of bytes: [UInt8], _ kind: Kind) -> String {
        precondition(bytes.count == size, "a code has 19 bytes")
        return CrockfordBase32.encode(bytes + [check(bytes, kind)], groups: 4)
    }

    /// Returns the bytes of a code; nil for a text that is not a code of this kind.
    static func bytes(of text: String, _ kind: Kind) -> [UInt8]? {
        guard let decoded = CrockfordBase32.decode(text, count: size + 1) else { return nil }
        let bytes = Array(decoded.dropLast())
        return decoded.last == check(bytes, kind) ? bytes : nil
    }

    private static func check(_ bytes: [UInt8], _ kind: Kind) -> UInt8 {
        var hash = SHA256()
        hash.update(data: Array("fuekid code \(kind.rawValue)\0".utf8))
        hash.update(data: bytes)
        return Array(hash.finalize())[0]
    }
}

/// Crockford's base 32, for whole groups of five bytes. Codes are not in guarded memory: a person reads them as text,
/// and they travel in a request or an answer.
enum CrockfordBase32 {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Encodes bytes, with a dash between groups of characters.
    ///
    /// - Parameter groups: the number of characters between two dashes.
    static func encode(_ bytes: [UInt8], groups: Int) -> String {
        precondition(bytes.count.isMultiple(of: 5), "five bytes are eight characters")
        var characters: [UInt8] = []
        for group in stride(from: 0, to: bytes.count, by: 5) {
            let bits = bytes[group..<(group + 5)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            for shift in stride(from: UInt64(35), through: 0, by: -5) {
                characters.append(alphabet[Int(bits >> shift & 31)])
            }
        }
        return stride(from: 0, to: characters.count, by: groups)
            .map { String(decoding: characters[$0..<min($0 + groups, characters.count)], as: UTF8.self) }
            .joined(separator: "-")
    }

    /// Decodes text that a person typed: blanks, dashes and letter case are ignored; O is read as 0, and I and L as 1.
    ///
    /// - Parameter count: the expected number of bytes.
    /// - Returns: nil for any other text.
    static func decode(_ text: String, count: Int) -> [UInt8]? {
        var bits: UInt64 = 0
        var bitCount = 0
        var bytes: [UInt8] = []
        for character in text.uppercased().utf8 where character != UInt8(ascii: " ") && character != UInt8(ascii: "-") {
            let meant: UInt8 =
                switch character {
                case UInt8(ascii: "O"): UInt8(ascii: "0")
                case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
                default: character
                }
            guard let value = alphabet.firstIndex(of: meant), bytes.count < count else { return nil }
            bits = bits << 5 | UInt64(value)
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(bitCount)))
            }
        }
        return bytes.count == count && bitCount == 0 ? bytes : nil
    }
}
