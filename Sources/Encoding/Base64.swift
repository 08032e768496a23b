/// Base64 with padding (RFC 4648, section 4), strictly: one text for each byte string.
///
/// - Warning: for public data. The time it takes depends on the bytes, and text cannot be wiped.
public enum Base64 {
    /// The bytes as text, padded with `=` to a multiple of four characters.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text = Radix64.standard.encode(Array(bytes))
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that the text stands for.
    ///
    /// - Throws: ``EncodingError/truncated`` if characters or padding are missing,
    ///   ``EncodingError/badCharacter(offset:)`` for line breaks, misplaced padding and all else outside the alphabet,
    ///   ``EncodingError/notCanonical`` if bits that stand for nothing are not zero.
    public static func decode(_ text: String) throws(EncodingError) -> [UInt8] {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 4) else {
            // A wrong character says more about a mistake than a wrong length does.
            if let offset = characters.firstIndex(where: { !Radix64.standard.allows($0) && $0 != UInt8(ascii: "=") }) {
                throw .badCharacter(offset: offset)
            }
            throw .truncated
        }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return try Radix64.standard.decode(characters.dropLast(padding))
    }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5; RFC 7515, appendix C), strictly.
///
/// - Warning: for public data. The time it takes depends on the bytes, and text cannot be wiped.
public enum Base64URL {
    /// The bytes as text, without padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: Radix64.url.encode(Array(bytes)), as: UTF8.self)
    }

    /// The bytes that the text stands for.
    ///
    /// - Throws: ``EncodingError/truncated`` if a last character stands alone,
    ///   ``EncodingError/badCharacter(offset:)`` for padding and all else outside the alphabet,
    ///   ``EncodingError/notCanonical`` if bits that stand for nothing are not zero.
    public static func decode(_ text: String) throws(EncodingError) -> [UInt8] {
        try Radix64.url.decode(Array(text.utf8)[...])
    }

    /// As ``encode(_:)``, but as the characters' bytes: for texts that are signed, of which no string is needed.
    package static func characters(of bytes: [UInt8]) -> [UInt8] { Radix64.url.encode(bytes) }

    /// As ``decode(_:)-(String)``, for a part of a longer text.
    package static func decode(_ characters: ArraySlice<UInt8>) throws(EncodingError) -> [UInt8] {
        try Radix64.url.decode(characters)
    }
}
