/// What is wrong with bytes or text that were to be decoded. Positions and limits only, never the input itself.
public enum EncodingError: Error, Equatable, Sendable {
    /// The input ends in the middle of a value.
    case truncated
    /// Bytes follow the last value.
    case leftOver(count: Int)
    /// The input is longer than the format, or this program's limit, allows.
    case tooLong(limit: Int)
    /// A character that the alphabet does not have, or case mixed where it must not be.
    case badCharacter(offset: Int)
    /// The checksum does not match: a character was mistyped.
    case badChecksum
    /// A value that has a shorter, or another, prescribed form.
    case notCanonical
    /// A name that an object of JSON has twice; where the second stands.
    case duplicate(offset: Int)
    /// Values nested deeper than the limit.
    case tooDeep(limit: Int)
    /// A type, tag, version or length that this format does not know.
    case unsupported
}
