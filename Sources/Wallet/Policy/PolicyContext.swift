public import Amounts
public import DisplayText

/// What is known about an intent beside its bytes: the time, what was signed before, whom the person pays, and what a node says.
/// A ``Check`` and a ``Policy`` look at it; it never changes what is signed.
public struct PolicyContext: Sendable {
    /// Seconds since 1970.
    public let now: UInt64
    /// What was signed before, as far back as a policy looks, in any order.
    public let history: [SignedEffect]
    /// Whom the person has named, and whom they have paid: a block has the payment. Never somebody who only appeared in a
    /// transaction, nor somebody for whom something was only signed. Nil where nobody has looked.
    public let known: Set<Party>?
    /// With those for whom something was signed, whatever became of it: whoever looks like one of them, and is another, is not
    /// paid.
    public let chosen: Set<Party>
    /// When this very intent was first proposed, in seconds since 1970: a delay counts from then.
    public let proposed: UInt64?
    /// Who has approved this very intent: names of the policy's approvers whose signatures were verified.
    public let approvers: Set<String>
    /// Nothing where no node was asked.
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

    /// Whether the person has named or paid somebody. Where nobody has looked, nobody is known.
    func knows(_ party: Party) -> Bool { known?.contains(party) == true }

    /// What was signed of an asset in the last seconds. What claims to be signed in the future counts: a clock was turned back.
    func signed(of asset: Asset, on chain: Chain, within seconds: UInt64) -> [SignedEffect] {
        let start = now >= seconds ? now - seconds : 0
        return history.filter { $0.time >= start && $0.chain == chain && $0.asset == asset }
    }

    /// The context of someone who knows nothing beside the bytes: no wallet's book is open, and no node is asked.
    ///
    /// - Parameter now: seconds since 1970.
    public static func unknown(now: UInt64) -> PolicyContext {
        PolicyContext(now: now, history: [], known: nil, chosen: [], proposed: nil, approvers: [], node: nil)
    }
}

/// Something that was signed.
public struct SignedEffect: Hashable, Sendable {
    /// Seconds since 1970.
    public let time: UInt64
    /// The chain of the effect.
    public let chain: Chain
    /// What was moved.
    public let asset: Asset
    /// The amount, in the smallest unit of the asset.
    public let amount: UInt256
    /// Whether it is a fee.
    public let isFee: Bool

    /// Creates an effect that was signed at `time`, in seconds since 1970.
    public init(time: UInt64, chain: Chain, asset: Asset, amount: UInt256, isFee: Bool = false) {
        self.isFee = isFee
        self.time = time
        self.chain = chain
        self.asset = asset
        self.amount = amount
    }
}

/// What a node says about an intent. It may lie: what it says can bring about a refusal or a warning, and take none away.
public struct NodeView: Sendable {
    /// What the wallet has of the chain's coin.
    public let balance: UInt256
    /// The most that a fee should be for this transaction, as the node estimates it; nothing where it does not tell.
    public let expectedFee: UInt256?
    /// The parties that are contracts.
    public let contracts: Set<Party>
    /// What became of it when the node tried it out: a clause if it would fail.
    public let failure: SanitizedText?
    /// What the chain charges beside gas.
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
