/// The coins that pay for a transaction, and the remaining amount.
///
/// No satoshi is lost: the coins' sum is that of the outputs, the change and the fee.
public struct CoinSelection: Equatable, Sendable {
    /// How the coins were found.
    public enum Method: String, CaseIterable, Sendable {
        /// The coins that had to be spent were enough, or everything is spent.
        case prescribed
        /// A set that leaves no change, by exhaustive search (Murch, 2016).
        case branchAndBound
        /// Coins in random order until there are enough.
        case singleRandomDraw
        /// The most valuable coins: the last resort, because it leaves the small ones.
        case largestFirst
    }

    /// The selected coins, required ones first.
    public let coins: [Coin]
    /// How the coins were found.
    public let method: Method
    /// The fee of the transaction.
    public let fee: Amount
    /// The change, if it is worth an output.
    public let change: Amount?
    /// The cost of this choice beyond that of spending the same coins later at a usual feerate, in satoshis. The choice
    /// with the smallest waste is taken (Bitcoin Core, `GetSelectionWaste`). It is negative when now is a good time to
    /// spend many coins.
    public let waste: Int64
    /// The size in virtual bytes, with signatures of the greatest size.
    public let virtualSize: Int
}
