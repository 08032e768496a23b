public import Wallet

/// The facts, besides a payload's bytes, with which its signing is judged and admitted. They stay the same from the proposal
/// to each participant.
public struct SigningContext: Sendable {
    /// The time, in seconds since 1970.
    public var now: UInt64
    /// The given approvals. One without an approver's valid signature over the intent's digest does not count.
    public let approvals: [Approval]
    /// The node's information, if a node was asked: then the wallet planned the payload.
    public let node: NodeView?
    /// The order that the payload is an attempt at; nil if no payment was ordered.
    public let order: OrderIdentity?
    /// ``WalletBook/lastNumber()`` before the payload was planned; nil if it was not planned from this book.
    public let mark: UInt64?

    /// Creates a context.
    public init(
        now: UInt64, approvals: [Approval] = [], node: NodeView? = nil, order: OrderIdentity? = nil,
        plannedAfter mark: UInt64? = nil
    ) {
        self.now = now
        self.approvals = approvals
        self.node = node
        self.order = order
        self.mark = mark
    }
}
