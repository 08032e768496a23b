public import Wallet

/// Where a transaction is.
public enum Whereabouts: Hashable, Sendable {
    /// The node has not seen it, or has forgotten it.
    case unknown
    /// It waits for a block.
    case waiting
    /// It is in a block. Confirmations count the blocks from its own to the newest, at least 1.
    case mined(height: UInt32, confirmations: UInt32)
}

/// Whether a node would take a transaction.
public enum Acceptance: Hashable, Sendable {
    case accepted
    /// In the node's words.
    case refused(ShownText)
    /// The node cannot be asked that.
    case notTold
}
