public import DisplayText
internal import Wallet

/// What went wrong between us and a node. What a node said is in it only as `SanitizedText`; user names, passwords and the paths
/// of URLs, which often hold a key, never are.
public enum NodeError: Error, Equatable, Sendable {
    /// Text that is no address of a node.
    case badAddress(NodeAddress.Fault)
    /// A file that gives no user and password.
    case badCookie(Credentials.CookieFault)
    /// There is no connection, or it broke.
    case unreachable(Obstacle)
    /// No certificate that we trust stands behind the other end.
    case untrusted
    /// It takes longer than we wait.
    case timedOut(Stage)
    /// The answer is longer than any true one, in bytes.
    case tooLarge(limit: Int)
    /// The node sends us elsewhere. We go nowhere that the person did not name.
    case redirected
    /// The node wants a user and a password, or other ones.
    case unauthorised
    /// An HTTP status that is not success, without an answer that could be read.
    case status(Int)
    /// The body is no JSON; usually the page of a proxy, or of something that is no node.
    case notJSON(looksLikeHTML: Bool)
    /// The node understood, and says no.
    case rpc(code: Int64, message: SanitizedText)
    /// The node did not take a transaction.
    case refused(Refusal, SanitizedText)
    /// A node of another chain than the wallet's.
    case wrongChain(expected: String, found: SanitizedText)
    /// The answer contradicts what was asked, itself, or what can be computed.
    case inconsistent(Answer)
    /// The answer has a type, a range or an encoding that it must not have.
    case unexpected(Answer)
    /// A fee above the highest one that was allowed. In the chain's smallest unit.
    case feeAboveCeiling(SanitizedText)
    /// The chain, as the node tells, has no base fee (EIP-1559). This wallet makes no transactions with a single price for gas.
    case noBaseFee
    /// Nobody knows whether the node has the transaction: it gave no answer that tells, and does not show it either. Ask again, or
    /// send the very same bytes once more.
    case outcomeUnknown
    /// The task was cancelled.
    case cancelled

    /// Why there is no connection.
    public enum Obstacle: Equatable, Sendable {
        /// Nothing was sent: the host is not known, or does not listen.
        case notConnected
        /// The connection ended before the answer did.
        case closed
        /// What answers does not speak HTTP.
        case notHTTP
    }

    /// What took too long.
    public enum Stage: Equatable, Sendable {
        /// Connecting to the node.
        case connecting
        /// Waiting for the answer.
        case answering
    }

    /// Why a node did not take a transaction, as far as its words tell.
    public enum Refusal: Equatable, Sendable {
        /// The nonce was used by a transaction that is in a block.
        case nonceTooLow
        /// There are transactions missing before this one.
        case nonceTooHigh
        /// It would replace another one and does not pay enough more.
        case replacementUnderpriced
        /// It spends what a waiting transaction spends, and the node replaces none.
        case conflict
        /// It pays less than the node takes.
        case feeTooLow
        /// It pays more than the node believes to be meant.
        case feeTooHigh
        /// The account has less than it would cost.
        case insufficientFunds
        /// Signed for another chain.
        case otherChain
        /// It spends what is spent already, or was never there.
        case missingInputs
        /// Another reason.
        case other
    }

    /// What an answer was about.
    public enum Answer: String, Equatable, Sendable {
        /// The object around every answer.
        case envelope
        /// The number of the question.
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
        /// A transaction with more in a witness than this wallet reads: a block may hold it.
        case longWitness
    }
}

extension NodeError {
    /// Whether the same question may be answered later. Never said of a broadcast: that one is looked up instead.
    public var mayMend: Bool {
        switch self {
        case .unreachable(.notConnected), .unreachable(.closed), .timedOut: true
        // 408 and 425: once more; 429: too many; 500 and above without JSON: a gateway's trouble.
        case .status(let status): [408, 425, 429, 500, 502, 503, 504].contains(status)
        // A node that is starting (Bitcoin Core), or has too many questions (several Ethereum providers).
        case .rpc(let code, _): code == -28 || code == -32005
        default: false
        }
    }

    /// Whether the node cannot have read what was to be sent. Who sends us elsewhere or wants a password has read it.
    var cameBeforeSending: Bool {
        switch self {
        case .unreachable(.notConnected), .timedOut(.connecting), .untrusted, .badAddress, .badCookie: true
        default: false
        }
    }
}
