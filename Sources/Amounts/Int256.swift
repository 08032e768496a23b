/// A signed number of 256 bits, as in contracts: from -2^255 to 2^255 - 1.
public struct Int256: Hashable, Sendable {
    /// Whether it is below zero.
    public let isNegative: Bool
    /// The number without its sign.
    public let magnitude: UInt256

    /// Creates a number from its sign and its magnitude.
    ///
    /// - Throws: ``AmountError/outOfRange`` outside of the range.
    public init(isNegative: Bool, magnitude: UInt256) throws(AmountError) {
        self.isNegative = isNegative && !magnitude.isZero
        self.magnitude = magnitude
        guard fits(bits: 256) else { throw .outOfRange }
    }

    /// Returns whether it fits into this many bits, including the sign bit.
    public func fits(bits: Int) -> Bool {
        // The lowest number, -2^(bits - 1), has a magnitude one above the greatest.
        let magnitude = isNegative ? (try? magnitude.subtracting(.one)) ?? .zero : magnitude
        return magnitude.bitWidth < bits
    }

    /// The number in 32 bytes, big-endian, in two's complement.
    public var bytes: [UInt8] {
        guard isNegative, let below = try? magnitude.subtracting(.one) else { return magnitude.bytes }
        return below.bytes.map { ~$0 }
    }

    /// Reads 32 bytes in two's complement.
    ///
    /// - Throws: ``AmountError/outOfRange`` for another size.
    public init(bytes: some Collection<UInt8>) throws(AmountError) {
        guard bytes.count == UInt256.size, let first = bytes.first else { throw .outOfRange }
        isNegative = first >= 0x80
        magnitude =
            isNegative
            ? try UInt256(bytes: bytes.map { ~$0 }).adding(.one) : try UInt256(bytes: bytes)
    }
}

extension Int256: CustomStringConvertible {
    /// The decimal digits, after a minus if it is negative.
    public var description: String { (isNegative ? "-" : "") + magnitude.description }
}
