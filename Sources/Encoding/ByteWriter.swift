/// A buffer that collects public bytes in order. Write secret bytes into a `SecretBytes` instead: a growing array
/// leaves copies.
public struct ByteWriter: Sendable {
    /// The bytes that were appended so far.
    public private(set) var bytes: [UInt8]

    /// Creates an empty writer, with memory for `reserving` bytes.
    ///
    /// - Parameter reserving: the expected number of bytes. It affects the speed only.
    public init(reserving: Int = 0) {
        bytes = []
        bytes.reserveCapacity(reserving)
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends bytes in order.
    public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends the integer in its full width, most significant byte first.
    public mutating func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        append(UInt64(truncatingIfNeeded: value), bytes: Value.bitWidth / 8)
    }

    /// This function is not generic: a generic one would be slow for callers in other modules.
    private mutating func append(_ value: UInt64, bytes count: Int) {
        for byte in stride(from: count - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)))
        }
    }

    /// Appends the integer in its full width, least significant byte first.
    public mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }
}

// One property for each type, and no generic one: see `ByteWriter`.
extension UInt32 {
    /// The number in four bytes, most significant first.
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}

extension UInt64 {
    /// The number in eight bytes, most significant first.
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
