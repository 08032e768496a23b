/// Which coins pay for a transaction, and what is left of them.
///
/// No satoshi is lost: what the coins are worth is what the outputs take, the change and the fee together.
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

    /// Those that were asked for first.
    public let coins: [Coin]
    /// How the coins were found.
    public let method: Method
    /// The fee of the transaction.
    public let fee: Amount
    /// What comes back, if that is worth an output.
    public let change: Amount?
    /// What this choice costs more than spending the same coins some other time at a usual feerate, in satoshis; the choice
    /// with the least is taken (Bitcoin Core, `GetSelectionWaste`). Negative when now is a good time to spend many.
    public let waste: Int64
    /// In virtual bytes, with signatures of the greatest size.
    public let virtualSize: Int
}
