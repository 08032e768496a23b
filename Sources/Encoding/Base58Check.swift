/// Base58 with a checksum of four bytes, as in Bitcoin's older addresses and in extended keys (BIP-32, serialization).
///
/// The first bytes of the payload, a version, are the caller's concern: this module knows no networks.
///
/// - Warning: for public data. The time depends on the bytes, and text cannot be wiped.
public enum Base58Check {
    // The checksum is computed here and not passed in: the format has only this one, and a caller could only get it
    // wrong. The price is a second SHA-256 of fifty lines, because this module depends on nothing.

    /// Encodes a payload, with its checksum.
    ///
    /// - Precondition: the payload has at most ``EncodingLimits/base58CheckBytes`` bytes. ``decode(_:limit:)`` would
    ///   refuse the text of a longer one, and the work grows with the square of its length.
    public static func encode(_ payload: some Collection<UInt8>) -> String {
        precondition(payload.count <= EncodingLimits.base58CheckBytes, "no format here has so long a payload")
        let bytes = Array(payload)
        return String(decoding: Base58.encode(bytes + checksum(of: bytes)), as: UTF8.self)
    }

    /// Decodes a text and checks its checksum.
    ///
    /// - Parameter limit: the highest number of bytes in the payload.
    /// - Throws: ``EncodingError/tooLong(limit:)``, ``EncodingError/badCharacter(offset:)``,
    ///   ``EncodingError/truncated`` if the text is too short for a checksum, or ``EncodingError/badChecksum``.
    public static func decode(
        _ text: String, limit: Int = EncodingLimits.base58CheckBytes
    ) throws(EncodingError) -> [UInt8] {
        guard text.utf8.count <= Base58.mostCharacters(for: limit + 4) else { throw .tooLong(limit: limit) }
        let bytes = try Base58.decode(text)
        guard bytes.count >= 4 else { throw .truncated }
        guard bytes.count - 4 <= limit else { throw .tooLong(limit: limit) }
        let payload = Array(bytes.dropLast(4))
        guard checksum(of: payload) == Array(bytes.suffix(4)) else { throw .badChecksum }
        return payload
    }

    /// Returns the first four bytes of the double SHA-256.
    private static func checksum(of payload: [UInt8]) -> [UInt8] {
        Array(Digest.sha256(Digest.sha256(payload)).prefix(4))
    }
}
