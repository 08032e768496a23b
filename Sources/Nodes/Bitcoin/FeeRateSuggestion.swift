public import Bitcoin
public import HDKeys

/// Suggested feerates for three speeds, within ``NodeLimits/leastFeeRate`` and ``NodeLimits/highestFeeRate``, in
/// ascending order. Each is nil if the node knows neither it nor a faster one: then a person has to name a feerate.
public struct FeeRateSuggestion: Hashable, Sendable {
    /// The rate to be mined within about a day.
    public let low: FeeRate?
    /// The rate to be mined within about an hour.
    public let normal: FeeRate?
    /// The rate to be mined in one of the next two blocks.
    public let high: FeeRate?

    /// Limits a node's rates to the bounds, and puts them into order. In place of a missing rate, or of 0, stands that of
    /// the next faster speed: a slower one could leave the payment unconfirmed for weeks.
    ///
    /// - Parameter network: the network of the node. Regtest has no market of fees, so that the least rate takes the
    ///   place of an unknown one.
    public init(low: FeeRate?, normal: FeeRate?, high: FeeRate?, on network: Network) {
        func known(_ rate: FeeRate?) -> FeeRate? { rate.flatMap { $0.satoshisPerKilobyte == 0 ? nil : $0 } }
        let unknown = network == .regtest ? FeeRate(satoshisPerKilobyte: NodeLimits.leastFeeRate) : nil
        var least = NodeLimits.leastFeeRate
        func fitted(_ rate: FeeRate?) -> FeeRate? {
            guard let rate else { return unknown }
            least = min(max(rate.satoshisPerKilobyte, least), NodeLimits.highestFeeRate)
            return FeeRate(satoshisPerKilobyte: least)
        }
        let high = known(high)
        let normal = known(normal) ?? high
        self.low = fitted(known(low) ?? normal)
        self.normal = fitted(normal)
        self.high = fitted(high)
    }
}
