public import Bitcoin
public import DisplayText

/// The state of a transaction at a node.
public enum TransactionStatus: Hashable, Sendable {
    /// The node has not seen it, or has forgotten it.
    case unknown
    /// It waits for a block.
    case waiting
    /// It is in a block. Confirmations count the blocks from its own to the newest, at least 1.
    case mined(height: UInt32, confirmations: UInt32)
}

/// Whether a node would accept a transaction.
public enum Acceptance: Hashable, Sendable {
    /// The node would take the transaction.
    case accepted
    /// The node would refuse it, for this reason and with these words.
    case refused(NodeError.Refusal, SanitizedText)
    /// The node cannot be asked.
    case notTold
}

/// The ancestors and descendants of a waiting transaction.
public struct MempoolAncestry: Hashable, Sendable {
    /// The sum of its fee and those of its unconfirmed ancestors.
    public let ancestorFees: Amount
    /// The virtual bytes of the same transactions; greater than 0.
    public let ancestorSize: Int
    /// The number of transactions that spend its outputs, directly or indirectly.
    public let descendantCount: Int
    /// The sum of their fees.
    public let descendantFees: Amount

    /// Creates the ancestry of a transaction. Sizes are in virtual bytes.
    public init(ancestorFees: Amount, ancestorSize: Int, descendantCount: Int, descendantFees: Amount) {
        self.ancestorFees = ancestorFees
        self.ancestorSize = ancestorSize
        self.descendantCount = descendantCount
        self.descendantFees = descendantFees
    }
}
