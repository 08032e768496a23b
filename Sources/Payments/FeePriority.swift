public import Bitcoin
public import Ethereum
public import Nodes

/// The time in which a transaction should be mined. The node suggests the price for it.
public enum FeePriority: String, CaseIterable, Sendable {
    /// Within about a day.
    case low
    /// Within about an hour.
    case normal
    /// Within the next few blocks.
    case high
}

extension FeeRateSuggestion {
    /// Returns the node's feerate for this priority; nil if the node knows none.
    public func rate(_ priority: FeePriority) -> FeeRate? {
        switch priority {
        case .low: low
        case .normal: normal
        case .high: high
        }
    }
}

extension GasPriceSuggestion {
    /// Returns the node's fees for this priority.
    public func fees(_ priority: FeePriority) -> EthereumTransaction.Fees {
        switch priority {
        case .low: low
        case .normal: normal
        case .high: high
        }
    }
}
