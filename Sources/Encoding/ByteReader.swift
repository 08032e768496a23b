/// A cursor over untrusted bytes. It never reads past the end, and its errors name the fault.
///
/// A decoder reads the fields of its format, and then calls ``finish()``, so that no byte is ignored.
public struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// Starts at the first byte.
    ///
    /// - Throws: ``EncodingError/tooLong(limit:)`` if there are more than `limit` bytes.
    public init(_ bytes: some Collection<UInt8>, limit: Int) throws(EncodingError) {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        self.bytes = ArraySlice(bytes)
        self.position = self.bytes.startIndex
    }

    /// The number of bytes left to read.
    public var remaining: Int { bytes.endIndex - position }

    /// The number of bytes read so far.
    public var offset: Int { position - bytes.startIndex }

    /// Reads the next `count` bytes.
    ///
    /// - Throws: ``EncodingError/truncated``.
    public mutating func bytes(_ count: Int) throws(EncodingError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    /// Reads all remaining bytes.
    public mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    /// Reads the next byte.
    ///
    /// - Throws: ``EncodingError/truncated``.
    public mutating func uint8() throws(EncodingError) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads the next two, four or eight bytes as an unsigned integer, most significant byte first.
    public mutating func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type
    ) throws(EncodingError) -> Value {
        Value(truncatingIfNeeded: try number(bytes: Value.bitWidth / 8))
    }

    /// This function is not generic: a generic one would be slow for callers in other modules.
    private mutating func number(bytes count: Int) throws(EncodingError) -> UInt64 {
        var number: UInt64 = 0
        for byte in try bytes(count) { number = number << 8 | UInt64(byte) }
        return number
    }

    /// Reads the next two, four or eight bytes as an unsigned integer, least significant byte first.
    public mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type
    ) throws(EncodingError) -> Value {
        try bytes(Value.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Value($1) }
    }

    /// Checks that every byte was read.
    ///
    /// - Throws: ``EncodingError/leftOver(count:)``.
    public func finish() throws(EncodingError) {
        guard remaining == 0 else { throw .leftOver(count: remaining) }
    }
}
