/// A CBOR value in the deterministic form of RFC 8949, section 4.2.1: each value has one encoding.
///
/// The type has integers, byte and text strings, arrays, maps, Booleans and null. The decoder refuses the rest of CBOR
/// (tags, floating-point numbers, `undefined`, other simple values) and every form that the encoder would not write:
/// integers and lengths that are not the shortest, items of indefinite length, repeated or misordered keys.
///
/// ```swift
/// let object = try CBOR(decoding: bytes)
/// guard case .text(let format)? = object["fmt"] else { … }
/// ```
///
/// Keys of a map are integers or strings. For those the order of CTAP2 (canonical CBOR) is the same.
///
/// - Warning: for public data. The time depends on the bytes, and nothing is wiped.
public enum CBOR: Sendable {
    /// An integer that is not negative.
    case unsigned(UInt64)
    /// A negative integer, -1 - n.
    case negative(UInt64)
    /// A byte string (major type 2).
    case bytes([UInt8])
    /// A text string (major type 3).
    case text(String)
    /// An array (major type 4).
    case array([CBOR])
    /// A map (major type 5).
    case map(Map)
    /// The simple value true or false.
    case bool(Bool)
    /// The simple value null.
    case null

    /// Creates an integer.
    public init(_ value: Int64) {
        self = value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(-(value + 1)))
    }

    /// The integer; nil for another type, or if it needs more than 64 bits with its sign.
    public var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let value): Int64(exactly: value).map { -1 - $0 }
        default: nil
        }
    }

    /// Returns the value of a text key; nil if this is not a map, or does not have the key.
    public subscript(_ key: String) -> CBOR? { self[.text(key)] }

    /// Returns the value of an integer key; nil if this is not a map, or does not have the key.
    public subscript(_ key: Int64) -> CBOR? { self[CBOR(key)] }

    private subscript(_ key: CBOR) -> CBOR? {
        guard case .map(let map) = self else { return nil }
        return map.entries.first { $0.key == key }?.value
    }

    // MARK: Encoding

    /// The only encoding of this value.
    ///
    /// Its size is not limited: a value beyond ``EncodingLimits`` can be encoded, but no decoder of this type accepts
    /// it.
    public var encoded: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }

    private func write(to writer: inout ByteWriter) {
        switch self {
        case .unsigned(let value): Self.writeHead(.unsigned, value, to: &writer)
        case .negative(let value): Self.writeHead(.negative, value, to: &writer)
        case .bytes(let bytes):
            Self.writeHead(.bytes, UInt64(bytes.count), to: &writer)
            writer.append(bytes)
        case .text(let text):
            Self.writeHead(.text, UInt64(text.utf8.count), to: &writer)
            writer.append(text.utf8)
        case .array(let values):
            Self.writeHead(.array, UInt64(values.count), to: &writer)
            for value in values { value.write(to: &writer) }
        case .map(let map):
            Self.writeHead(.map, UInt64(map.entries.count), to: &writer)
            for entry in map.entries {
                entry.key.write(to: &writer)
                entry.value.write(to: &writer)
            }
        case .bool(false): writer.append(Simple.false)
        case .bool(true): writer.append(Simple.true)
        case .null: writer.append(Simple.null)
        }
    }

    /// Writes the type in three bits and a number: in the other five bits, or in 1, 2, 4 or 8 bytes, whichever is
    /// shortest.
    private static func writeHead(_ type: MajorType, _ value: UInt64, to writer: inout ByteWriter) {
        let type = type.rawValue << 5
        if value < 24 {
            writer.append(type | UInt8(value))
        } else if let value = UInt8(exactly: value) {
            writer.append(type | 24)
            writer.bigEndian(value)
        } else if let value = UInt16(exactly: value) {
            writer.append(type | 25)
            writer.bigEndian(value)
        } else if let value = UInt32(exactly: value) {
            writer.append(type | 26)
            writer.bigEndian(value)
        } else {
            writer.append(type | 27)
            writer.bigEndian(value)
        }
    }

    private enum MajorType: UInt8 {
        case unsigned, negative, bytes, text, array, map, tag, simple
    }

    /// The single byte that encodes each of these values.
    private enum Simple {
        static let `false`: UInt8 = 0xf4
        static let `true`: UInt8 = 0xf5
        static let null: UInt8 = 0xf6
    }

    // MARK: Decoding

    /// Decodes a value, which has to be the whole input.
    ///
    /// - Parameter limit: the highest number of bytes.
    /// - Throws: ``EncodingError``, for every input that is not the deterministic form of a value of this type.
    public init(
        decoding bytes: some Collection<UInt8>, limit: Int = EncodingLimits.cborBytes
    ) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: limit)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Decodes a value, and leaves the following bytes to the caller: authenticator data of WebAuthn contain other
    /// bytes there.
    public init(from reader: inout ByteReader) throws(EncodingError) {
        var items = EncodingLimits.cborItems
        self = try Self.read(from: &reader, depth: 0, items: &items)
    }

    private static func read(
        from reader: inout ByteReader, depth: Int, items: inout Int
    ) throws(EncodingError) -> CBOR {
        guard depth <= EncodingLimits.cborDepth else { throw .tooDeep(limit: EncodingLimits.cborDepth) }
        guard items > 0 else { throw .tooLong(limit: EncodingLimits.cborItems) }
        items -= 1
        let first = try reader.uint8()
        guard let type = MajorType(rawValue: first >> 5) else { throw .unsupported }
        switch type {
        case .tag: throw .unsupported
        case .simple:
            switch first {
            case Simple.false: return .bool(false)
            case Simple.true: return .bool(true)
            case Simple.null: return .null
            default: throw .unsupported
            }
        case .unsigned: return .unsigned(try readNumber(first, from: &reader))
        case .negative: return .negative(try readNumber(first, from: &reader))
        case .bytes: return .bytes(Array(try reader.bytes(try readCount(first, from: &reader))))
        case .text:
            let count = try readCount(first, from: &reader)
            let start = reader.offset
            guard let text = String(validating: try reader.bytes(count), as: UTF8.self) else {
                throw .badCharacter(offset: start)
            }
            return .text(text)
        case .array:
            var values: [CBOR] = []
            for _ in 0..<(try readCount(first, from: &reader)) {
                values.append(try read(from: &reader, depth: depth + 1, items: &items))
            }
            return .array(values)
        case .map:
            var map = Map()
            for _ in 0..<(try readCount(first, from: &reader)) {
                let key = try read(from: &reader, depth: depth + 1, items: &items)
                let value = try read(from: &reader, depth: depth + 1, items: &items)
                // Keys have to ascend: this excludes misordered and repeated keys.
                try map.append(key, value)
            }
            return .map(map)
        }
    }

    /// Reads the number of the first byte, in its shortest form.
    private static func readNumber(_ first: UInt8, from reader: inout ByteReader) throws(EncodingError) -> UInt64 {
        let value: UInt64
        let least: UInt64
        switch first & 0x1f {
        case let small where small < 24: return UInt64(small)
        case 24: (value, least) = (UInt64(try reader.uint8()), 24)
        case 25: (value, least) = (UInt64(try reader.bigEndian(UInt16.self)), 1 << 8)
        case 26: (value, least) = (UInt64(try reader.bigEndian(UInt32.self)), 1 << 16)
        case 27: (value, least) = (try reader.bigEndian(UInt64.self), 1 << 32)
        // 28 to 30 are unassigned, 31 is indefinite length.
        default: throw .unsupported
        }
        guard value >= least else { throw .notCanonical }
        return value
    }

    /// Reads the number of bytes or elements that follow. No memory is reserved for them before they are read.
    private static func readCount(_ first: UInt8, from reader: inout ByteReader) throws(EncodingError) -> Int {
        let number = try readNumber(first, from: &reader)
        guard let count = Int(exactly: number) else { throw .truncated }
        return count
    }
}

extension CBOR: Equatable {
    /// Returns whether both have the same bytes. Unlike `String`, texts that only look alike are not equal.
    public static func == (left: CBOR, right: CBOR) -> Bool {
        switch (left, right) {
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.negative(let left), .negative(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.map(let left), .map(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.null, .null): true
        default: false
        }
    }
}
