/// The fee that a transaction of a given size must pay: the maximum of a few linear functions.
///
/// A payment has one, its feerate. A replacement also pays for the relay of both transactions (BIP-125); a child also
/// pays what its parent lacks.
struct FeeRule {
    struct Line {
        let rate: FeeRate
        /// Satoshis that are due whatever the size is; may be negative.
        var offset: Int64 = 0
    }

    private let lines: [Line]

    /// - Parameter lines: at least one, with rates up to ``BitcoinLimits/highestFeeRate``.
    init(_ lines: Line...) {
        precondition(!lines.isEmpty, "something has to be paid")
        precondition(lines.allSatisfy { $0.rate <= BitcoinLimits.highestFeeRate }, "rates are checked before")
        self.lines = lines
    }

    /// The steepest rate: the maximum cost of one more virtual byte.
    var rate: FeeRate { lines.map(\.rate).max() ?? FeeRate(satoshisPerKilobyte: 0) }

    /// Returns the fee in satoshis, never below zero.
    func fee(virtualSize: Int) -> Int64 {
        lines.map { Self.cost(of: 4 * virtualSize, at: $0.rate) + $0.offset }.reduce(0, max)
    }

    /// Returns the cost of a part of a transaction, rounded up, so that the sum of all parts is never too small.
    static func cost(of weight: Int, at rate: FeeRate) -> Int64 {
        // At most 5e6 times the weight of a block, far below 2^63.
        (Int64(rate.satoshisPerKilobyte) * Int64(weight) + 3_999) / 4_000
    }
}
