public import Bitcoin

/// Suggested feerates for three speeds, within ``NodeLimits/leastFeeRate`` and ``NodeLimits/highestFeeRate``, in
/// ascending order.
public struct FeeRateSuggestion: Hashable, Sendable {
    /// The rate to be mined within about a day.
    public let low: FeeRate
    /// The rate to be mined within about an hour.
    public let normal: FeeRate
    /// The rate to be mined in one of the next two blocks.
    public let high: FeeRate

    /// Limits a node's rates to the bounds, and puts them into order. A missing rate is that of the slower speed.
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
