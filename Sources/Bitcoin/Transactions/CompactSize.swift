internal import Encoding

/// Bitcoin's integers of one to nine bytes, little-endian behind a marker. Only the shortest form is read.
enum CompactSize {
    static func size(of value: Int) -> Int {
        switch value {
        case ..<0xFD: 1
        case ...0xFFFF: 3
        case ...0xFFFF_FFFF: 5
        default: 9
        }
    }
}

extension ByteWriter {
    mutating func compactSize(_ value: Int) {
        switch CompactSize.size(of: value) {
        case 1: append(UInt8(value))
        case 3:
            append(0xFD)
            littleEndian(UInt16(value))
        case 5:
            append(0xFE)
            littleEndian(UInt32(value))
        default:
            append(0xFF)
            littleEndian(UInt64(value))
        }
    }

    /// Appends the size of the bytes, and then the bytes.
    mutating func sized(_ bytes: [UInt8]) {
        compactSize(bytes.count)
        append(bytes)
    }
}

extension ByteReader {
    /// Reads a compact size.
    ///
    /// - Throws: ``EncodingError/notCanonical`` if a shorter form exists.
    mutating func compactSize() throws(EncodingError) -> UInt64 {
        let value: UInt64
        let least: UInt64
        switch try uint8() {
        case 0xFD: (value, least) = (UInt64(try littleEndian(UInt16.self)), 0xFD)
        case 0xFE: (value, least) = (UInt64(try littleEndian(UInt32.self)), 0x1_0000)
        case 0xFF: (value, least) = (try littleEndian(UInt64.self), 0x1_0000_0000)
        case let byte: (value, least) = (UInt64(byte), 0)
        }
        guard value >= least else { throw .notCanonical }
        return value
    }

    /// Reads a count of items, each of which takes at least `leastSize` bytes. An impossible count is refused before
    /// any memory is allocated.
    mutating func count(leastSize: Int) throws(EncodingError) -> Int {
        let count = try compactSize()
        guard count <= UInt64(remaining / leastSize) else { throw .truncated }
        return Int(count)
    }

    /// Reads a size, and then that many bytes.
    mutating func sized() throws(EncodingError) -> ArraySlice<UInt8> {
        try bytes(try count(leastSize: 1))
    }
}
