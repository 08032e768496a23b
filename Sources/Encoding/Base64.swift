/// Base64 with padding (RFC 4648, section 4), decoded strictly: each byte string has one text.
///
/// - Warning: for public data. The time depends on the bytes, and text cannot be wiped.
public enum Base64 {
    /// Encodes bytes, padded with `=` to a multiple of four characters.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text = Radix64.standard.encode(Array(bytes))
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text.
    ///
    /// - Throws: ``EncodingError/truncated`` if characters or padding are missing,
    ///   ``EncodingError/badCharacter(offset:)`` for line breaks, misplaced padding and every other character outside
    ///   the alphabet, or
    ///   ``EncodingError/notCanonical`` if unused bits are not zero.
    public static func decode(_ text: String) throws(EncodingError) -> [UInt8] {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else {
            // A wrong character says more about a mistake than a wrong length.
            if let offset = characters.firstIndex(where: { !Radix64.standard.allows($0) && $0 != UInt8(ascii: "=") }) {
                throw .badCharacter(offset: offset)
            }
            throw .truncated
        }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return try Radix64.standard.decode(characters.dropLast(padding))
    }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5; RFC 7515, appendix C), decoded strictly.
///
/// - Warning: for public data. The time depends on the bytes, and text cannot be wiped.
public enum Base64URL {
    /// Encodes bytes, without padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: Radix64.url.encode(Array(bytes)), as: UTF8.self)
    }

    /// Decodes a text.
    ///
    /// - Throws: ``EncodingError/truncated`` if a last character stands alone,
    ///   ``EncodingError/badCharacter(offset:)`` for padding and every other character outside the alphabet,
    ///   ``EncodingError/notCanonical`` if unused bits are not zero.
    public static func decode(_ text: String) throws(EncodingError) -> [UInt8] {
        try Radix64.url.decode(Array(text.utf8)[...])
    }

    /// Encodes bytes as ASCII characters: for signed texts, which need no string.
    package static func characters(of bytes: [UInt8]) -> [UInt8] { Radix64.url.encode(bytes) }

    /// Decodes a part of a longer text.
    package static func decode(_ characters: ArraySlice<UInt8>) throws(EncodingError) -> [UInt8] {
        try Radix64.url.decode(characters)
    }
}
