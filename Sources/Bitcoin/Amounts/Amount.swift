internal import Amounts

/// An amount of bitcoin: 0...21,000,000 BTC, in whole satoshis.
public struct Amount: Hashable, Comparable, Sendable {
    /// The amount in satoshis: 0...2,100,000,000,000,000.
    public let satoshis: UInt64

    /// No coins.
    public static let zero = Amount(unchecked: 0)
    /// The largest amount, 21 million bitcoin, a bound that every node checks (`MAX_MONEY`).
    public static let maximum = Amount(unchecked: 2_100_000_000_000_000)

    private init(unchecked satoshis: UInt64) { self.satoshis = satoshis }

    /// Creates an amount of whole satoshis.
    ///
    /// - Throws: ``BitcoinError/badAmount`` above ``maximum``.
    public init(satoshis: UInt64) throws(BitcoinError) {
        guard satoshis <= Self.maximum.satoshis else { throw .badAmount }
        self.satoshis = satoshis
    }

    public static func < (left: Amount, right: Amount) -> Bool { left.satoshis < right.satoshis }

    /// Returns the sum.
    ///
    /// - Throws: ``BitcoinError/badAmount`` if the sum is above ``maximum``.
    public func adding(_ other: Amount) throws(BitcoinError) -> Amount {
        // Both are below 2^51: the sum does not overflow.
        try Amount(satoshis: satoshis + other.satoshis)
    }

    /// Returns the difference.
    ///
    /// - Throws: ``BitcoinError/badAmount`` if `other` is greater.
    public func subtracting(_ other: Amount) throws(BitcoinError) -> Amount {
        guard other <= self else { throw .badAmount }
        return Amount(unchecked: satoshis - other.satoshis)
    }

    /// Returns the sum of several amounts.
    ///
    /// - Throws: ``BitcoinError/badAmount`` if the sum is above ``maximum``.
    public static func sum(_ amounts: some Sequence<Amount>) throws(BitcoinError) -> Amount {
        var sum = Amount.zero
        for amount in amounts { sum = try sum.adding(amount) }
        return sum
    }

    // MARK: - Text

    /// Reads `1.5` or `0.00001000`: digits, and up to eight after a point. No sign, exponent, grouping or space.
    ///
    /// - Throws: ``BitcoinError/badAmount``.
    public init(bitcoins text: String) throws(BitcoinError) {
        guard let value = try? DecimalText.read(text, .bitcoin) else { throw .badAmount }
        try self.init(value)
    }

    /// Reads `1500`: digits only.
    ///
    /// - Throws: ``BitcoinError/badAmount``.
    public init(satoshis text: String) throws(BitcoinError) {
        guard let value = try? DecimalText.read(text, .none) else { throw .badAmount }
        try self.init(value)
    }

    /// Reads an amount that names its unit, `0.1 BTC` or `1500 sat`, with one space.
    ///
    /// - Throws: ``BitcoinError/badAmount``, also without a unit, since a guess is never safe.
    public init(_ text: String) throws(BitcoinError) {
        if text.hasSuffix(" BTC") {
            try self.init(bitcoins: String(text.dropLast(4)))
        } else if text.hasSuffix(" sat") {
            try self.init(satoshis: String(text.dropLast(4)))
        } else {
            throw .badAmount
        }
    }

    /// The amount in bitcoin with all eight decimals, without the unit: `0.00001000`.
    public var bitcoins: String { DecimalText.full(UInt256(satoshis), .bitcoin) }

    private init(_ value: UInt256) throws(BitcoinError) {
        guard let satoshis = value.uint64 else { throw .badAmount }
        try self.init(satoshis: satoshis)
    }
}

extension Amount: CustomStringConvertible {
    /// The amount with its unit: `0.00001000 BTC`.
    public var description: String { "\(bitcoins) BTC" }
}
