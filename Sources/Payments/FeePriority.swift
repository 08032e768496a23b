public import Bitcoin
public import Ethereum
public import Nodes

/// How soon a transaction should be mined. What that costs, the node says.
public enum FeePriority: String, CaseIterable, Sendable {
    /// A day or so.
    case low
    /// An hour or so.
    case normal
    /// One of the next blocks.
    case high
}

extension FeeRateSuggestion {
    /// Returns the node's feerate for this priority.
    public func rate(_ priority: FeePriority) -> FeeRate {
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
