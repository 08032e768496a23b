public import Bitcoin
public import HDKeys

/// A wallet's access to the Bitcoin chain: a user's own node (``BitcoinNode``), or an explorer (``EsploraNode``).
///
/// Its answers are compared with everything that can be computed: a transaction has the requested id, an output is in
/// the transaction that created it, fees are within ``NodeLimits``. A lie is still possible about these: coins that are
/// not shown, or are spent or not mined in truth (then no block accepts the payment); a fee within the bounds; the
/// height; and whether a payment was broadcast. An explorer also learns which addresses belong together.
public protocol BitcoinChain: Sendable {
    /// The network of the node, which was checked.
    var network: Network { get }

    /// Returns the height of the newest block.
    func height() async throws(NodeError) -> UInt32

    /// Returns the distance while the node loads the chain; nil otherwise, and if the node does not say.
    func lag() async throws(NodeError) -> ChainLag?

    /// Returns the unspent outputs with these scripts, each with the transaction that created it. Outputs that a
    /// waiting transaction spends are left out; of more than ``NodeLimits/coins``, the most valuable ones are returned.
    func coins(of scripts: [ScriptPubKey]) async throws(NodeError) -> CoinList

    /// Returns one output, also if a waiting transaction spends it; nil if the node does not know it, or a block has
    /// spent it.
    func coin(at outPoint: OutPoint) async throws(NodeError) -> ChainCoin?

    /// Returns the outputs of a waiting transaction with these scripts that no other transaction spends.
    func coins(of scripts: Set<ScriptPubKey>, in transaction: Transaction) async throws(NodeError) -> [ChainCoin]

    /// Returns the scripts that were ever paid to; nil if the node has no record of that.
    func used(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey>?

    /// Returns the scripts with unspent outputs in blocks, in one search for all of them; if the node has a record,
    /// those that were ever paid to.
    func holding(_ scripts: [ScriptPubKey]) async throws(NodeError) -> Set<ScriptPubKey>

    /// Returns a transaction, in a block or waiting; nil if the node does not know it.
    func transaction(_ id: TransactionID) async throws(NodeError) -> Transaction?

    /// Returns the transactions that pay to these scripts; nil if the node keeps no record of spent outputs. The list
    /// says what it leaves out because it is too long.
    func payments(to scripts: [ScriptPubKey]) async throws(NodeError) -> PaymentList?

    /// Returns the feerates for a place in one of the next blocks.
    func feeRates() async throws(NodeError) -> FeeRateSuggestion

    /// Returns the rate by which a replacement must pay for its own relay (BIP-125, rule 4); nil if the node does not
    /// report it.
    func incrementalFeeRate() async throws(NodeError) -> FeeRate?

    /// Returns whether the node would accept the transaction, if it can be asked.
    func acceptance(of transaction: Transaction) async throws(NodeError) -> Acceptance

    /// Sends the transaction to the node. If the node has it already, that also counts as success.
    ///
    /// - Throws: ``NodeError/refused(_:_:)``; ``NodeError/outcomeUnknown`` if it did not answer, and does not show it
    ///   either.
    func broadcast(_ transaction: Transaction) async throws(NodeError)

    /// Returns the state of a transaction.
    func status(of id: TransactionID) async throws(NodeError) -> TransactionStatus

    /// Searches the blocks from a height on, at most ``NodeLimits/searchedBlocks``, for a transaction.
    func search(for id: TransactionID, from first: UInt32) async throws(NodeError) -> BlockSearch

    /// Returns the time of the block at a height, in seconds since 1970, as its miner wrote it; nil if the block does
    /// not exist yet.
    func time(ofBlockAt height: UInt32) async throws(NodeError) -> UInt64?

    /// Returns a waiting transaction's ancestors and descendants; nil if it does not wait.
    func queue(of id: TransactionID) async throws(NodeError) -> MempoolAncestry?
}

/// An unspent output, as a node shows it. The transaction that created it was checked: its id, and the output.
public struct ChainCoin: Hashable, Sendable {
    /// The output, as an input names it.
    public let outPoint: OutPoint
    /// The amount and the script of the output.
    public let output: TransactionOutput
    /// The number of blocks from its own to the newest; 0 while it waits.
    public let confirmations: UInt32
    /// Whether its transaction created new coins, which can be spent after 100 blocks.
    public let isCoinbase: Bool
    /// The transaction that created the output.
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
        // Only a coinbase spends an output that does not exist: of transaction zero, with the highest index.
        isCoinbase = transaction.inputs.contains { input in
            input.previousOutput.index == .max && input.previousOutput.transaction.bytes.allSatisfy { $0 == 0 }
        }
        previousTransaction = transaction
    }
}

extension [ChainCoin] {
    /// Returns the coins in an order that does not depend on the node.
    func inOrder() -> [ChainCoin] {
        sorted { $0.outPoint.isShownBefore($1.outPoint) }
    }
}

extension OutPoint {
    /// Returns whether the output's text comes before another one's: by the transaction's id, whose text begins with its
    /// last byte, then by the index.
    func isShownBefore(_ other: OutPoint) -> Bool {
        guard transaction != other.transaction else { return index < other.index }
        return transaction.bytes.reversed().lexicographicallyPrecedes(other.transaction.bytes.reversed())
    }
}

extension BitcoinChain {
    /// Checks that a node shows a transaction after a broadcast without a clear answer.
    ///
    /// - Throws: ``NodeError/outcomeUnknown`` if the node does not show it.
    func lookUp(_ id: TransactionID) async throws(NodeError) {
        guard let status = try? await status(of: id), status != .unknown else { throw .outcomeUnknown }
    }
}
