internal import Curves
internal import Encoding
internal import Secrets

/// Base58Check of a secret of known size, in guarded memory, without a branch or an index that depends on it.
///
/// The time reveals one thing about refused text: the position of a character outside the alphabet.
enum SecretBase58Check {
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    private static let checksumSize = 4

    /// Returns the text of a payload whose first byte is not zero.
    static func encode(_ payload: borrowing SecretBytes) -> SecretBytes {
        let checksum = checksum(of: payload)
        let size = payload.count + checksumSize
        let most = size * 138 / 100 + 1
        let digits = SecretBytes(fleeting: most) { digits in
            // The number is repeatedly divided by 58, equally often for every number of this size.
            _ = SecretBytes(fleeting: size) { number in
                payload.withUnsafeBytes { number.copyMemory(from: $0) }
                checksum.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: number[payload.count...])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<checksumSize]))
                }
                for place in digits.indices.reversed() {
                    var rest: UInt32 = 0
                    for index in number.indices {
                        let value = rest << 8 | UInt32(number[index])
                        // value < 58·256, for which this is the quotient: a division's time could depend on its
                        // operands.
                        let quotient = (value &* 36_158) >> 21
                        number[index] = UInt8(truncatingIfNeeded: quotient)
                        rest = value &- quotient &* 58
                    }
                    digits[place] = character(of: rest)
                }
            }
        }
        // The number of digits depends on the version, which is public.
        return digits.withUnsafeBytes { digits in
            let text = UnsafeRawBufferPointer(rebasing: digits.drop { $0 == alphabet[0] })
            return SecretBytes(count: text.count) { $0.copyMemory(from: text) }
        }
    }

    /// Returns the payload of a text with a right checksum: `size` bytes, the first of which is not zero.
    ///
    /// - Throws: ``EncodingError/tooLong(limit:)``, ``EncodingError/truncated``, ``EncodingError/badCharacter(offset:)``,
    ///   ``EncodingError/notCanonical`` for zeros in front, or ``EncodingError/badChecksum``.
    static func decode(_ text: borrowing SecretBytes, size: Int) throws(EncodingError) -> SecretBytes {
        let whole = size + checksumSize
        guard text.count <= whole * 138 / 100 + 1 else { throw .tooLong(limit: size) }
        let bytes = try SecretBytes(fleeting: whole) { bytes throws(EncodingError) in
            try text.withUnsafeBytes { text throws(EncodingError) in
                guard text.first != alphabet[0] else { throw .notCanonical }
                var overflow: UInt32 = 0
                for (offset, character) in text.enumerated() {
                    let (value, isThere) = value(of: character)
                    guard isThere else { throw .badCharacter(offset: offset) }
                    var carry = value
                    for index in bytes.indices.reversed() {
                        carry &+= UInt32(bytes[index]) &* 58
                        bytes[index] = UInt8(truncatingIfNeeded: carry)
                        carry >>= 8
                    }
                    overflow |= carry
                }
                guard overflow == 0 else { throw .tooLong(limit: size) }
                guard bytes[0] != 0 else { throw .truncated }
            }
        }
        let payload = bytes.prefix(size)
        let isRight = checksum(of: payload).withUnsafeBytes { expected in
            bytes.withUnsafeBytes {
                constantTimeEquals(
                    UnsafeRawBufferPointer(rebasing: $0[size...]),
                    UnsafeRawBufferPointer(rebasing: expected[..<checksumSize]))
            }
        }
        guard isRight else { throw .badChecksum }
        return payload
    }

    /// Returns the double SHA-256. Its first four bytes are the checksum.
    private static func checksum(of payload: borrowing SecretBytes) -> SecretBytes {
        var hasher = SHA256()
        hasher.update(payload)
        let first = hasher.finalizeSecret()
        hasher.update(first)
        return hasher.finalizeSecret()
    }

    private static func character(of value: UInt32) -> UInt8 {
        var character: UInt8 = 0
        for (place, other) in alphabet.enumerated() {
            character |= UInt8(truncatingIfNeeded: 0 &- areEqual(value, UInt32(place))) & other
        }
        return character
    }

    private static func value(of character: UInt8) -> (UInt32, isThere: Bool) {
        var (value, isThere): (UInt32, UInt32) = (0, 0)
        for (place, other) in alphabet.enumerated() {
            let same = areEqual(UInt32(character), UInt32(other))
            value |= (0 &- same) & UInt32(place)
            isThere |= same
        }
        return (value, isThere == 1)
    }

    /// Returns 1 or 0, without a branch.
    private static func areEqual(_ left: UInt32, _ right: UInt32) -> UInt32 {
        let difference = left ^ right
        return ((difference | (0 &- difference)) >> 31) ^ 1
    }
}
