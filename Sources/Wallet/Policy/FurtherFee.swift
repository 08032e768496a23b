public import Amounts

/// A fee that a chain charges beside gas. No limit in the transaction bounds it, so it is not in the signed bytes. A
/// node reports it, and may lie.
public enum FurtherFee: Hashable, Sendable {
    /// No further fee.
    case none
    /// A fee of this many wei, if the transaction were mined now.
    case now(UInt256)
    /// A fee of unknown amount: the node does not report it.
    case untold
    /// A possible fee: this wallet does not know the chain.
    case possible

    /// The amount that is reserved for it, in wei: twice the present fee, since it may rise until the transaction is
    /// mined.
    public var reserve: UInt256 {
        guard case .now(let fee) = self else { return .zero }
        return (try? fee.multiplied(by: 2)) ?? .maximum
    }
}
