/// How much fee a transaction of a given size has to pay: the greatest of a few straight lines.
///
/// A payment has one, its feerate. A replacement pays for the bandwidth of both transactions too (BIP-125); a child pays what
/// its parent did not.
struct FeeRule {
    struct Line {
        let rate: FeeRate
        /// Satoshis that are due whatever the size; may be negative.
        var offset: Int64 = 0
    }

    private let lines: [Line]

    /// - Parameter lines: at least one, with rates up to ``BitcoinLimits/highestFeeRate``.
    init(_ lines: Line...) {
        precondition(!lines.isEmpty, "something has to be paid")
        precondition(lines.allSatisfy { $0.rate <= BitcoinLimits.highestFeeRate }, "rates are checked before")
        self.lines = lines
    }

    /// The steepest of the lines: what one more input or output costs at most.
    var rate: FeeRate { lines.map(\.rate).max() ?? FeeRate(satoshisPerKilobyte: 0) }

    /// In satoshis, never below zero.
    func fee(virtualSize: Int) -> Int64 {
        lines.map { Self.cost(of: 4 * virtualSize, at: $0.rate) + $0.offset }.reduce(0, max)
    }

    /// What a part of a transaction costs, rounded up: with all parts added there is never too little.
    static func cost(of weight: Int, at rate: FeeRate) -> Int64 {
        // At most 5e6 times the weight of a block, far below 2^63.
        (Int64(rate.satoshisPerKilobyte) * Int64(weight) + 3_999) / 4_000
    }
}
