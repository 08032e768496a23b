internal import BigInt
internal import Encoding

/// A whole number from 0 to 2^256 - 1, as in Ethereum. Sums, differences and products outside this range are errors.
///
/// - Warning: Use it for public amounts only. Its timing depends on the number; secrets are scalars of `Curves`.
public struct UInt256: Hashable, Sendable {
    // At most 256 bits, which every initialiser ensures.
    private let value: BigUInt

    /// The size of the longest number in bytes.
    public static let size = 32

    /// 0.
    public static let zero = UInt256(0)
    /// 1.
    public static let one = UInt256(1)
    /// The largest number, 2^256 - 1, which a token contract treats as "without limit".
    public static let maximum = UInt256(unchecked: (BigUInt(1) << 256) - 1)

    /// The maximum number of digits in text. 2^256 has 78; more are leading zeros, or an attack on the reading time.
    private static let characters = 128

    private init(unchecked value: BigUInt) { self.value = value }

    private init(checked value: BigUInt) throws(AmountError) {
        guard value.bitWidth <= 256 else { throw .outOfRange }
        self.value = value
    }

    /// Creates the number of the same value.
    public init(_ value: UInt64) { self.value = BigUInt(value) }

    /// The number as 64 bits; nil if it is larger.
    public var uint64: UInt64? { UInt64(exactly: value) }

    /// The number of bits, without leading zeros.
    public var bitWidth: Int { value.bitWidth }

    /// Whether it is 0.
    public var isZero: Bool { value.isZero }

    // MARK: - Arithmetic

    /// Returns the sum.
    ///
    /// - Throws: ``AmountError/outOfRange`` if the sum is above ``maximum``.
    public func adding(_ other: UInt256) throws(AmountError) -> UInt256 { try UInt256(checked: value + other.value) }

    /// Returns the difference.
    ///
    /// - Throws: ``AmountError/outOfRange`` if `other` is greater.
    public func subtracting(_ other: UInt256) throws(AmountError) -> UInt256 {
        guard other <= self else { throw .outOfRange }
        return UInt256(unchecked: value - other.value)
    }

    /// Returns the product.
    ///
    /// - Throws: ``AmountError/outOfRange`` if the product is above ``maximum``.
    public func multiplied(by other: UInt256) throws(AmountError) -> UInt256 {
        try UInt256(checked: value * other.value)
    }

    /// Returns the quotient, rounded down, and the remainder.
    ///
    /// - Throws: ``AmountError/outOfRange`` if `other` is zero.
    public func divided(by other: UInt256) throws(AmountError) -> (quotient: UInt256, remainder: UInt256) {
        guard !other.isZero else { throw .outOfRange }
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: other.value)
        return (UInt256(unchecked: quotient), UInt256(unchecked: remainder))
    }

    // MARK: - Bytes

    /// The number in 32 bytes, big-endian.
    public var bytes: [UInt8] {
        let minimal = minimalBytes
        return [UInt8](repeating: 0, count: Self.size - minimal.count) + minimal
    }

    /// The number big-endian without leading zeros: zero has no bytes.
    public var minimalBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        for word in value.words.reversed() {
            for shift in stride(from: UInt.bitWidth - 8, through: 0, by: -8) {
                let byte = UInt8(truncatingIfNeeded: word >> UInt(shift))
                if !bytes.isEmpty || byte != 0 { bytes.append(byte) }
            }
        }
        return bytes
    }

    /// Reads a big-endian number.
    ///
    /// - Throws: ``AmountError/outOfRange`` if there are more than 32 bytes.
    public init(bytes: some Collection<UInt8>) throws(AmountError) {
        guard bytes.count <= Self.size else { throw .outOfRange }
        value = Array(bytes).withUnsafeBytes { BigUInt($0) }
    }

    // MARK: - Text

    /// Reads digits: no sign, no point, no grouping. Leading zeros are ignored.
    ///
    /// - Throws: ``AmountError/malformed`` or ``AmountError/outOfRange``.
    public init(decimal text: String) throws(AmountError) {
        let digits = text.utf8
        guard
            (1...Self.characters).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = BigUInt(text, radix: 10)
        else { throw .malformed }
        try self.init(checked: value)
    }

    /// Reads `0x` and one to 64 hexadecimal digits. Leading zeros are ignored.
    ///
    /// - Throws: ``AmountError/malformed`` or ``AmountError/outOfRange``.
    public init(hexadecimal text: String) throws(AmountError) {
        let digits = text.utf8.dropFirst(2)
        guard text.utf8.starts(with: "0x".utf8), (1...64).contains(digits.count) else { throw .malformed }
        let padding = digits.count.isMultiple(of: 2) ? "" : "0"
        guard let bytes = try? Hex.decode(padding + String(decoding: digits, as: UTF8.self)) else { throw .malformed }
        try self.init(bytes: bytes)
    }

    /// Reads a quantity of Ethereum's JSON-RPC: `0x0`, or `0x` and digits without a leading zero.
    ///
    /// - Throws: ``AmountError/malformed`` or ``AmountError/outOfRange``.
    public init(quantity text: String) throws(AmountError) {
        guard text == "0x0" || text.utf8.dropFirst(2).first != UInt8(ascii: "0") else { throw .malformed }
        try self.init(hexadecimal: text)
    }

    /// The number as a quantity of Ethereum's JSON-RPC: `0x` and as few digits as possible.
    public var quantity: String { "0x" + String(value, radix: 16) }
}

extension UInt256: Comparable {
    public static func < (left: UInt256, right: UInt256) -> Bool { left.value < right.value }
}

extension UInt256: CustomStringConvertible {
    /// The decimal digits.
    public var description: String { String(value) }
}

extension UInt256: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(value) }
}
