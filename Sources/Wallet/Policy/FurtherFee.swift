public import Amounts

/// What a chain charges for a transaction beside its gas: a fee that no limit of the transaction bounds, so that it is not in what
/// is signed. A node says it, and may lie.
public enum FurtherFee: Hashable, Sendable {
    /// Nothing.
    case none
    /// So much in wei, if the transaction were mined now.
    case now(UInt256)
    /// Something, and the node does not say how much.
    case untold
    /// Perhaps something: this wallet does not know the chain.
    case possible

    /// The amount that is set aside for it, in wei: twice what it is now, since it may rise until the transaction is mined.
    public var reserve: UInt256 {
        guard case .now(let fee) = self else { return .zero }
        return (try? fee.multiplied(by: 2)) ?? .maximum
    }
}
