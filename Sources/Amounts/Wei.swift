/// An amount of ether in whole wei, 0...2^256 - 1.
public struct Wei: Hashable, Comparable, Sendable {
    /// The number of wei.
    public let value: UInt256

    /// No ether.
    public static let zero = Wei(UInt256.zero)

    /// Creates an amount of `value` wei.
    public init(_ value: UInt256) { self.value = value }

    /// Reads an amount that names its unit, `0.1eth`, `30gwei` or `12 wei`.
    ///
    /// - Throws: ``AmountError/malformed``, also without a unit; ``AmountError/otherUnit`` for the unit of another
    ///   coin;
    ///   ``AmountError/outOfRange``.
    public init(_ text: String) throws(AmountError) {
        let (value, unit) = try MoneyUnit.read(text)
        switch unit {
        case .wei, .gwei, .eth: self.value = value
        case .sat, .btc: throw .otherUnit
        }
    }

    public static func < (left: Wei, right: Wei) -> Bool { left.value < right.value }

    /// Returns the sum.
    ///
    /// - Throws: ``AmountError/outOfRange`` if the sum has more than 256 bits.
    public func adding(_ other: Wei) throws(AmountError) -> Wei { Wei(try value.adding(other.value)) }

    /// Returns the difference.
    ///
    /// - Throws: ``AmountError/outOfRange`` if `other` is greater.
    public func subtracting(_ other: Wei) throws(AmountError) -> Wei { Wei(try value.subtracting(other.value)) }

    /// Returns the cost of this many units of gas at this price.
    ///
    /// - Throws: ``AmountError/outOfRange`` if the product has more than 256 bits.
    public func multiplied(by count: UInt64) throws(AmountError) -> Wei {
        Wei(try value.multiplied(by: UInt256(count)))
    }

    /// The amount in ether, without zeros at the end and without the unit: `0.1`.
    public var ether: String { DecimalText.short(value, .ether) }

    /// The amount in gwei, the usual unit of gas prices: `30.5`.
    public var gwei: String { DecimalText.short(value, .gwei) }
}

extension Wei: CustomStringConvertible {
    /// The amount with its unit: `0.1 ETH`.
    public var description: String { "\(ether) ETH" }
}
