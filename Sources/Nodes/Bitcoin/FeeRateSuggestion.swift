public import Bitcoin
internal import Wallet

/// Feerates for three kinds of hurry, within ``NodeLimits/leastFeeRate`` and ``NodeLimits/highestFeeRate``, and rising.
public struct FeeRateSuggestion: Hashable, Sendable {
    /// A day or so.
    public let low: FeeRate
    /// An hour or so.
    public let normal: FeeRate
    /// One of the next two blocks.
    public let high: FeeRate

    /// Makes what a node says fit into the bounds, and into its order. Where it says nothing, the slower one holds.
    public init(low: FeeRate?, normal: FeeRate?, high: FeeRate?) {
        var least = NodeLimits.leastFeeRate
        func fitted(_ rate: FeeRate?) -> FeeRate {
            least = min(max(rate?.satoshisPerKilobyte ?? least, least), NodeLimits.highestFeeRate)
            return FeeRate(satoshisPerKilobyte: least)
        }
        self.low = fitted(low)
        self.normal = fitted(normal)
        self.high = fitted(high)
    }
}
