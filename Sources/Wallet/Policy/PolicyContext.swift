public import Amounts
public import DisplayText

/// The data about an intent beside its bytes: the time, the history, the known payees, and a node's view. A ``Check``
/// and a ``Policy`` use it; it never changes the signed bytes.
public struct PolicyContext: Sendable {
    /// Seconds since 1970.
    public let now: UInt64
    /// The effects that were signed before, as far back as a policy looks, in any order.
    public let history: [SignedEffect]
    /// The contacts, and the payees of mined payments. Parties that only appeared in a transaction, or for whom
    /// something was only signed, are not included. Nil if this is unknown.
    public let known: Set<Party>?
    /// The known parties, and those for whom anything was signed, whatever became of it. An address that looks like one
    /// of them, and differs, is not paid.
    public let chosen: Set<Party>
    /// The time when this intent was first proposed, in seconds since 1970; a delay counts from then.
    public let proposed: UInt64?
    /// The names of the policy's approvers whose signature over this intent was verified.
    public let approvers: Set<String>
    /// The node's view; nil if no node was asked.
    public let node: NodeView?

    /// Creates a context.
    public init(
        now: UInt64, history: [SignedEffect], known: Set<Party>?, chosen: Set<Party>, proposed: UInt64?,
        approvers: Set<String>, node: NodeView?
    ) {
        self.now = now
        self.history = history
        self.known = known
        self.chosen = chosen
        self.proposed = proposed
        self.approvers = approvers
        self.node = node
    }

    /// Returns whether the party is known. If ``known`` is nil, no party is.
    func knows(_ party: Party) -> Bool { known?.contains(party) == true }

    /// Returns the signed effects of an asset in the last seconds. Effects from the future count, because the clock may
    /// have been turned back.
    func signed(of asset: Asset, on chain: Chain, within seconds: UInt64) -> [SignedEffect] {
        let start = now >= seconds ? now - seconds : 0
        return history.filter { $0.time >= start && $0.chain == chain && $0.asset == asset }
    }

    /// Returns the context without any data beside the bytes: no wallet's book is open, and no node is asked.
    ///
    /// - Parameter now: seconds since 1970.
    public static func unknown(now: UInt64) -> PolicyContext {
        PolicyContext(now: now, history: [], known: nil, chosen: [], proposed: nil, approvers: [], node: nil)
    }
}

/// An effect that was signed.
public struct SignedEffect: Hashable, Sendable {
    /// Seconds since 1970.
    public let time: UInt64
    /// The chain of the effect.
    public let chain: Chain
    /// The asset that was moved.
    public let asset: Asset
    /// The amount, in the smallest unit of the asset.
    public let amount: UInt256
    /// Whether it is a fee.
    public let isFee: Bool
    /// The payment that has the effect, by which the user finds it; nil if it is unknown.
    public let source: Source?

    /// A payment that counts against limits.
    public struct Source: Hashable, Sendable {
        /// The identifier or hash of its transaction; the digest of an intent without one, in hexadecimal.
        public let id: String
        /// Whether it was cancelled. It still counts: only a node says that it can no longer happen.
        public let isCancelled: Bool

        /// Creates a source.
        public init(id: String, isCancelled: Bool) { (self.id, self.isCancelled) = (id, isCancelled) }
    }

    /// Creates an effect that was signed at `time`, in seconds since 1970.
    public init(
        time: UInt64, chain: Chain, asset: Asset, amount: UInt256, isFee: Bool = false, source: Source? = nil
    ) {
        self.source = source
        self.isFee = isFee
        self.time = time
        self.chain = chain
        self.asset = asset
        self.amount = amount
    }
}

/// A node's data about an intent. It may lie: its data can cause a refusal or another finding, and never remove one.
public struct NodeView: Sendable {
    /// The wallet's balance of the chain's coin.
    public let balance: UInt256
    /// The highest reasonable fee for this transaction by the node's estimate; nil if it gives none.
    public let expectedFee: UInt256?
    /// The parties that are contracts.
    public let contracts: Set<Party>
    /// The reason why the transaction would fail, by the node's simulation, as a clause; nil if it would not.
    public let failure: SanitizedText?
    /// The fee that the chain charges beside gas.
    public let furtherFee: FurtherFee

    /// Creates the view of a node.
    public init(
        balance: UInt256, expectedFee: UInt256?, contracts: Set<Party>, failure: SanitizedText?,
        furtherFee: FurtherFee = .none
    ) {
        self.balance = balance
        self.expectedFee = expectedFee
        self.contracts = contracts
        self.failure = failure
        self.furtherFee = furtherFee
    }
}
