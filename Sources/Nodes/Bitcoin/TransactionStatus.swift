public import Bitcoin
public import DisplayText
internal import Wallet

/// Where a transaction is.
public enum TransactionStatus: Hashable, Sendable {
    /// The node has not seen it, or has forgotten it.
    case unknown
    /// It waits for a block.
    case waiting
    /// It is in a block. Confirmations count the blocks from its own to the newest, at least 1.
    case mined(height: UInt32, confirmations: UInt32)
}

/// Whether a node would take a transaction.
public enum Acceptance: Hashable, Sendable {
    /// The node would take the transaction.
    case accepted
    /// In the node's words.
    case refused(SanitizedText)
    /// The node cannot be asked that.
    case notTold
}

/// A waiting transaction among those that have to be mined before it, and those that spend what it pays.
public struct MempoolAncestry: Hashable, Sendable {
    /// What it pays, together with all that has to be mined before it.
    public let ancestorFees: Amount
    /// The virtual bytes of the same transactions; greater than 0.
    public let ancestorSize: Int
    /// How many spend its outputs, and theirs.
    public let descendantCount: Int
    /// What those pay.
    public let descendantFees: Amount

    /// Creates the queue of a transaction. Sizes are in virtual bytes.
    public init(ancestorFees: Amount, ancestorSize: Int, descendantCount: Int, descendantFees: Amount) {
        self.ancestorFees = ancestorFees
        self.ancestorSize = ancestorSize
        self.descendantCount = descendantCount
        self.descendantFees = descendantFees
    }
}
