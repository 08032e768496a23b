/// An error in bytes or text to be decoded. It contains positions and limits only, never the input itself.
public enum EncodingError: Error, Equatable, Sendable {
    /// The input ends in the middle of a value.
    case truncated
    /// Bytes follow the last value.
    case leftOver(count: Int)
    /// The input is longer than the format or this program's limit allows.
    case tooLong(limit: Int)
    /// A character is outside the alphabet, or upper and lower case are mixed where that is forbidden.
    case badCharacter(offset: Int)
    /// The checksum does not match: a character was mistyped.
    case badChecksum
    /// The value is not in its one prescribed form, for example not the shortest.
    case notCanonical
    /// A JSON object has a name twice, at this offset the second time.
    case duplicate(offset: Int)
    /// Values are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// A type, tag, version or length is not part of this format.
    case unsupported
}
