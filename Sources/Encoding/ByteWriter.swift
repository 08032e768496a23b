/// Collects public bytes in order. For secret bytes write into a `SecretBytes` instead: an array that grows leaves copies.
public struct ByteWriter: Sendable {
    /// What was appended so far.
    public private(set) var bytes: [UInt8]

    /// Starts empty, with memory for `reserving` bytes.
    ///
    /// - Parameter reserving: how many bytes are expected; only a matter of speed.
    public init(reserving: Int = 0) {
        bytes = []
        bytes.reserveCapacity(reserving)
    }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends bytes in their order.
    public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends the integer, most significant byte first, in all of its width.
    public mutating func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        append(UInt64(truncatingIfNeeded: value), bytes: Value.bitWidth / 8)
    }

    /// Not generic: callers in other modules would pay for each byte.
    private mutating func append(_ value: UInt64, bytes count: Int) {
        for byte in stride(from: count - 1, through: 0, by: -1) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)))
        }
    }

    /// Appends the integer, least significant byte first, in all of its width.
    public mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }
}
