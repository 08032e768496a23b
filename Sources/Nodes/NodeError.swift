public import DisplayText
public import PinnedHTTP

/// An error of the connection to a node. A node's own words are in it only as `SanitizedText`; it never contains user
/// names, passwords or the paths of URLs, which often contain a key.
public enum NodeError: Error, Equatable, Sendable {
    /// The text is not a node's address.
    case badAddress(NodeAddress.Fault)
    /// The cookie file gives no user and password.
    case badCookie(Credentials.CookieFault)
    /// No connection could be made, or it broke.
    case unreachable(Obstacle)
    /// The rules of the connection do not allow one to this node, before anything is sent.
    case badConnection(NodeConnection.Fault)
    /// The node's TLS certificate is not trusted.
    case untrusted(TrustFault)
    /// The node's certificate is trusted, but has none of the pinned keys: the node has changed its keys, or somebody
    /// else answers in its place. Nothing was sent.
    case notPinned(PinFault)
    /// The node does not answer in time.
    case timedOut(Stage)
    /// The answer is longer than any valid one, in bytes.
    case tooLarge(limit: Int)
    /// The node answered with a redirect. This library connects only to addresses that the user named.
    case redirected
    /// The node requires a user and a password, or other ones.
    case unauthorised
    /// An HTTP status that is not success, without an answer that could be read.
    case status(Int)
    /// The body is not JSON; usually it is a page of a proxy, or of another server than a node.
    case notJSON(looksLikeHTML: Bool)
    /// The node understood the request, and answered with an error.
    case rpc(code: Int64, message: SanitizedText)
    /// The node refused a transaction.
    case refused(Refusal, SanitizedText)
    /// The node is on another chain than the wallet.
    case wrongChain(expected: String, found: SanitizedText)
    /// The answer contradicts the request, itself, or a computed value.
    case inconsistent(Answer)
    /// The answer has an invalid type, range or encoding.
    case unexpected(Answer)
    /// The fee is above the highest allowed one. In the chain's smallest unit.
    case feeAboveCeiling(SanitizedText)
    /// The chain has no base fee (EIP-1559), as the node says. This wallet makes no transactions with a single gas
    /// price.
    case noBaseFee
    /// The node searches its coins for another program, and runs one search at a time.
    case searching
    /// The node is still loading the chain, so that its answers are those of an old block.
    case syncing(ChainLag)
    /// The node has no estimate of the fees that are paid now. No fee is assumed in its place.
    case noFeeEstimate(FeeEstimate)
    /// It is unknown whether the node has the transaction: its answer is unclear, and it does not show the transaction
    /// either. Ask again, or send exactly the same bytes again.
    case outcomeUnknown
    /// The task was cancelled.
    case cancelled

    /// The reasons why no connection could be made.
    public enum Obstacle: Equatable, Sendable {
        /// Nothing was sent: the host is unknown, or does not listen.
        case notConnected
        /// The connection ended before the answer did.
        case closed
        /// The other end does not speak HTTP.
        case notHTTP
    }

    /// What an estimate of fees is needed for.
    public enum FeeEstimate: Equatable, Sendable {
        /// The feerate of a Bitcoin transaction.
        case feeRate
        /// The feerate by which a coin is worth less than its spending costs.
        case dust
        /// The price of gas on Ethereum.
        case gasPrice
    }

    /// The stage that took too long.
    public enum Stage: Equatable, Sendable {
        /// Connecting to the node.
        case connecting
        /// Waiting for the answer.
        case answering
    }

    /// The reasons why a node refused a transaction, as far as its message says.
    public enum Refusal: Equatable, Sendable {
        /// The nonce was used by a transaction that is in a block.
        case nonceTooLow
        /// Earlier transactions of the account are missing.
        case nonceTooHigh
        /// It would replace another transaction, and does not pay enough more.
        case replacementUnderpriced
        /// It spends the same coins as a waiting transaction, and the node replaces none.
        case conflict
        /// It pays less than the node requires.
        case feeTooLow
        /// It pays so much that the node treats it as a mistake.
        case feeTooHigh
        /// The account's balance does not cover its cost.
        case insufficientFunds
        /// It is signed for another chain.
        case otherChain
        /// Its lock time is above the height of the node's chain, or in the future.
        case notYet
        /// It spends outputs that are spent already, or never existed.
        case missingInputs
        /// Another reason.
        case other
    }

    /// The subject of an answer.
    public enum Answer: String, Equatable, Sendable {
        /// The object around every answer.
        case envelope
        /// The number of the request.
        case id
        /// The chain of the node.
        case chain
        /// The count of an account's transactions.
        case nonce
        /// A balance.
        case balance
        /// The history of fees.
        case feeHistory
        /// A fee.
        case fee
        /// An amount of gas.
        case gas
        /// The result of a call.
        case call
        /// The code of a contract.
        case code
        /// A hash.
        case hash
        /// A receipt.
        case receipt
        /// A transaction.
        case transaction
        /// A block.
        case block
        /// A list of coins.
        case coins
        /// An amount.
        case amount
        /// A height.
        case height
        /// An output.
        case output
        /// Whether a transaction would be accepted.
        case acceptance
        /// A transaction with a longer witness than this wallet reads; a block may contain one.
        case longWitness
    }
}

extension NodeError {
    /// Whether the same request may succeed later. Never true for a broadcast, which is looked up instead.
    public var mayMend: Bool {
        switch self {
        case .unreachable(.notConnected), .unreachable(.closed), .timedOut: true
        // 408 and 425: again; 429: too many; 500 and above without JSON: a gateway's error.
        case .status(let status): [408, 425, 429, 500, 502, 503, 504].contains(status)
        // A node that is starting (Bitcoin Core), or has too many requests (several Ethereum providers).
        case .rpc(let code, _): code == -28 || code == -32005
        default: false
        }
    }
}
