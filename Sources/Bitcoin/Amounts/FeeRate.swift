/// The fee rate of a transaction, in satoshi per 1,000 virtual bytes, rounded down.
public struct FeeRate: Hashable, Comparable, Sendable {
    /// The rate in satoshi per 1,000 virtual bytes.
    public let satoshisPerKilobyte: UInt64

    /// Creates the rate of a transaction that pays `fee` for its size in virtual bytes.
    ///
    /// - Parameters:
    ///   - fee: the fee of the whole transaction.
    ///   - virtualSize: the size in virtual bytes (BIP-141), greater than 0.
    public init(fee: Amount, virtualSize: Int) {
        precondition(virtualSize > 0, "a transaction has a size")
        // At most 2.1e18, which fits.
        satoshisPerKilobyte = fee.satoshis * 1_000 / UInt64(virtualSize)
    }

    /// Creates a rate in satoshi per 1,000 virtual bytes.
    public init(satoshisPerKilobyte: UInt64) { self.satoshisPerKilobyte = satoshisPerKilobyte }

    /// Returns the smallest fee with which a transaction of this size pays the rate: rounded up.
    ///
    /// - Parameter virtualSize: the size in virtual bytes, not negative.
    /// - Throws: ``BitcoinError/badAmount`` above 21 million bitcoin.
    public func fee(virtualSize: Int) throws(BitcoinError) -> Amount {
        precondition(virtualSize >= 0, "a transaction has a size")
        let (product, overflow) = satoshisPerKilobyte.multipliedReportingOverflow(by: UInt64(virtualSize))
        guard !overflow else { throw .badAmount }
        return try Amount(satoshis: product / 1_000 + (product % 1_000 == 0 ? 0 : 1))
    }

    public static func < (left: FeeRate, right: FeeRate) -> Bool {
        left.satoshisPerKilobyte < right.satoshisPerKilobyte
    }
}

extension FeeRate: CustomStringConvertible {
    /// The rate as text: `12.345 sat/vB`.
    public var description: String {
        let fraction = String(satoshisPerKilobyte % 1_000)
        return "\(satoshisPerKilobyte / 1_000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
            + " sat/vB"
    }
}
