public import Bitcoin
public import HDKeys
internal import Wallet

/// What a wallet asks of Bitcoin's chain: of a node of one's own (``BitcoinNode``), or of an explorer (``EsploraNode``).
///
/// What they say is compared with what can be computed: a transaction has the id that was asked for, an output is in the transaction
/// that made it, fees are within ``NodeLimits``. Left to a lie are: coins that are not shown, or are spent or not mined in truth (no
/// block takes the payment); a fee within the bounds; the height; and whether a payment was broadcast. An explorer also
/// learns which addresses belong together.
public protocol BitcoinChain: Sendable {
    /// The network that the node was found to be on.
    var network: Network { get }

    /// The height of the newest block.
    func height() async throws(NodeError) -> UInt32

    /// The unspent outputs with these scripts, each with the transaction that made it. What a waiting transaction spends is not
    /// among them; of more than ``NodeLimits/coins``, the most valuable ones are.
    func coins(of scripts: [ScriptPubKey]) async throws(NodeError) -> CoinList

    /// One output, also if a waiting transaction spends it; nil if the node does not know it, or a block has spent it.
    func coin(at outPoint: OutPoint) async throws(NodeError) -> ChainCoin?

    /// The outputs of a waiting transaction with these scripts that no other one spends.
    func coins(of scripts: Set<ScriptPubKey>, in transaction: Transaction) async throws(NodeError) -> [ChainCoin]

    /// Which of the scripts were ever paid to; nil if the node keeps no record of that.
    func used(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey>?

    /// Which of the scripts have unspent outputs in blocks, in one search for all of them; where the node has a record, which of them
    /// were ever paid to.
    func holding(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey>

    /// A transaction, in a block or waiting; nil if the node does not know it.
    func transaction(_ id: TransactionID) async throws(NodeError) -> Transaction?

    /// What to pay for a place in one of the next blocks.
    func feeRates() async throws(NodeError) -> FeeRateSuggestion

    /// What a replacement has to pay more for being passed on (BIP-125, rule 4); nil if the node does not tell.
    func incrementalFeeRate() async throws(NodeError) -> FeeRate?

    /// Whether the node would take the transaction, as far as it tells.
    func acceptance(of transaction: Transaction) async throws(NodeError) -> Acceptance

    /// Hands the transaction to the node. Where it has it already, that is as good.
    ///
    /// - Throws: ``NodeError/refused(_:_:)``; ``NodeError/outcomeUnknown`` if it did not answer, and does not show it either.
    func broadcast(_ transaction: Transaction) async throws(NodeError)

    /// Where a transaction is.
    func status(of id: TransactionID) async throws(NodeError) -> TransactionStatus

    /// Looks for a transaction in the blocks from a height on, ``NodeLimits/searchedBlocks`` at most.
    func search(for id: TransactionID, from first: UInt32) async throws(NodeError) -> BlockSearch

    /// A waiting transaction among those that it depends on and those that depend on it; nil if it does not wait.
    func queue(of id: TransactionID) async throws(NodeError) -> MempoolAncestry?
}

/// An unspent output, as a node shows it; the transaction that made it has the id, and the output.
public struct ChainCoin: Hashable, Sendable {
    /// The output, as an input names it.
    public let outPoint: OutPoint
    /// The amount and the script of the output.
    public let output: TransactionOutput
    /// Blocks from its own to the newest; 0 while it waits.
    public let confirmations: UInt32
    /// Whether its transaction made new coins, which can be spent after 100 blocks.
    public let isCoinbase: Bool
    /// The transaction that made the output.
    public let previousTransaction: Transaction

    /// Creates a coin of an output of a transaction.
    ///
    /// - Throws: ``NodeError/inconsistent(_:)`` if the transaction has no such output, or another id.
    public init(_ outPoint: OutPoint, of transaction: Transaction, confirmations: UInt32) throws(NodeError) {
        guard transaction.id == outPoint.transaction, let index = Int(exactly: outPoint.index),
            transaction.outputs.indices.contains(index)
        else { throw .inconsistent(.transaction) }
        self.outPoint = outPoint
        output = transaction.outputs[index]
        self.confirmations = confirmations
        // Only a coinbase spends what is not there: an output of no transaction, with the highest number.
        isCoinbase = transaction.inputs.contains { input in
            input.previousOutput.index == .max && input.previousOutput.transaction.bytes.allSatisfy { $0 == 0 }
        }
        previousTransaction = transaction
    }
}

extension [ChainCoin] {
    /// In an order that does not depend on the node.
    func inOrder() -> [ChainCoin] {
        sorted { left, right in
            let (one, other) = (left.outPoint, right.outPoint)
            return (one.transaction.description, one.index) < (other.transaction.description, other.index)
        }
    }
}
