/// An RLP item (Ethereum's Yellow Paper, appendix B): a byte string, or a list of items.
///
/// Each item has one encoding: the decoder refuses a single byte below 0x80 with a length before it, and a length with
/// leading zeros or a shorter form. Integers are byte strings without leading zeros; zero is the empty one.
///
/// - Warning: for public data. The time depends on the bytes, and nothing is wiped.
public enum RLP: Hashable, Sendable {
    /// A byte string.
    case bytes([UInt8])
    /// A list of items.
    case list([RLP])

    /// Creates an integer.
    public init(_ value: UInt64) {
        var value = value
        var bytes: [UInt8] = []
        while value > 0 {
            bytes.append(UInt8(truncatingIfNeeded: value))
            value >>= 8
        }
        self = .bytes(bytes.reversed())
    }

    // MARK: - Encoding

    /// The only encoding of this item.
    ///
    /// Its size is not limited: an item beyond ``EncodingLimits`` can be encoded, but no decoder of this type accepts
    /// it.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .bytes(let bytes):
            if bytes.count == 1, bytes[0] < Self.shortString {
                output.append(bytes[0])
            } else {
                Self.writeHead(Self.shortString, bytes.count, to: &output)
                output += bytes
            }
        case .list(let items):
            var payload: [UInt8] = []
            for item in items { item.write(to: &payload) }
            Self.writeHead(Self.shortList, payload.count, to: &output)
            output += payload
        }
    }

    private static func writeHead(_ kind: UInt8, _ count: Int, to output: inout [UInt8]) {
        if count <= longestShort {
            output.append(kind + UInt8(count))
        } else if case .bytes(let size) = RLP(UInt64(count)) {
            output.append(kind + UInt8(longestShort + size.count))
            output += size
        }
    }

    /// The first byte of an empty string, and of an empty list.
    private static let shortString: UInt8 = 0x80
    private static let shortList: UInt8 = 0xc0
    /// The greatest length that fits into the first byte.
    private static let longestShort = 55

    // MARK: - Decoding

    /// Decodes an item, which has to be the whole input.
    ///
    /// - Parameter limit: the highest number of bytes.
    /// - Throws: ``EncodingError``, for every form that is not canonical.
    public init(
        decoding bytes: some Collection<UInt8>, limit: Int = EncodingLimits.rlpBytes
    ) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: limit)
        var items = EncodingLimits.rlpItems
        self = try Self.read(from: &reader, depth: 0, items: &items)
        try reader.finish()
    }

    private static func read(
        from reader: inout ByteReader, depth: Int, items: inout Int
    ) throws(EncodingError) -> RLP {
        guard depth <= EncodingLimits.rlpDepth else { throw .tooDeep(limit: EncodingLimits.rlpDepth) }
        guard items > 0 else { throw .tooLong(limit: EncodingLimits.rlpItems) }
        items -= 1
        let first = try reader.uint8()
        if first < shortString { return .bytes([first]) }
        if first < shortList {
            let bytes = try reader.bytes(try readCount(first - shortString, from: &reader))
            // Such a byte is its own encoding.
            if bytes.count == 1, let only = bytes.first, only < shortString { throw .notCanonical }
            return .bytes(Array(bytes))
        }
        let payload = try reader.bytes(try readCount(first - shortList, from: &reader))
        var rest = try ByteReader(payload, limit: payload.count)
        var elements: [RLP] = []
        while rest.remaining > 0 { elements.append(try read(from: &rest, depth: depth + 1, items: &items)) }
        return .list(elements)
    }

    /// Reads a length of up to 55, or the size of a following length, less 55.
    private static func readCount(_ head: UInt8, from reader: inout ByteReader) throws(EncodingError) -> Int {
        if head <= longestShort { return Int(head) }
        let size = try reader.bytes(Int(head) - longestShort)
        guard size.first != 0 else { throw .notCanonical }
        let number = size.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number > longestShort else { throw .notCanonical }
        guard let count = Int(exactly: number) else { throw .truncated }
        return count
    }
}

extension RLP {
    /// The byte string; nil for a list.
    public var bytes: [UInt8]? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    /// The items; nil for a byte string.
    public var list: [RLP]? {
        guard case .list(let items) = self else { return nil }
        return items
    }

    /// Returns the integer.
    ///
    /// - Throws: ``EncodingError/unsupported`` if this is a list, ``EncodingError/notCanonical`` if it has leading
    ///   zeros, ``EncodingError/tooLong(limit:)`` if it does not fit.
    public func integer() throws(EncodingError) -> UInt64 {
        try integerBytes(upTo: 8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the big-endian bytes of an integer, without leading zeros.
    ///
    /// - Parameter count: the highest number of bytes.
    /// - Throws: the errors of ``integer()``.
    public func integerBytes(upTo count: Int) throws(EncodingError) -> [UInt8] {
        guard let bytes else { throw .unsupported }
        guard bytes.first != 0 else { throw .notCanonical }
        guard bytes.count <= count else { throw .tooLong(limit: count) }
        return bytes
    }
}

extension RLP {
    /// Encodes a text as its UTF-8 bytes.
    package static func text(_ text: String) -> RLP { .bytes(Array(text.utf8)) }

    /// The text of a byte string in UTF-8.
    ///
    /// - Throws: ``EncodingError/unsupported`` for a list, and for bytes that are not UTF-8.
    package var text: String {
        get throws(EncodingError) { try String(validating: bytes.present, as: UTF8.self).present }
    }

    /// Returns the items of a list of exactly this length.
    ///
    /// - Throws: ``EncodingError/unsupported``.
    package func items(_ count: Int) throws(EncodingError) -> [RLP] {
        guard let items = list, items.count == count else { throw .unsupported }
        return items
    }

    /// Returns the only item of a list; nil if the list is empty.
    ///
    /// - Throws: ``EncodingError/unsupported``, and the errors of `read`.
    package func optional<Value>(_ read: (RLP) throws -> Value) throws -> Value? {
        let items = try list.present
        guard items.count <= 1 else { throw EncodingError.unsupported }
        return try items.first.map(read)
    }
}
