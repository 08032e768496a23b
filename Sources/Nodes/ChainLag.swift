internal import Encoding
internal import HDKeys

/// The distance of a node that is still loading its chain. Its coins, balances and fates of transactions are those of an
/// old block.
public struct ChainLag: Hashable, Sendable {
    /// The height of the newest block that the node has.
    public let height: UInt64
    /// The height of the newest block that it knows of; nil if it does not say.
    public let newest: UInt64?

    /// Creates the distance of a node.
    public init(height: UInt64, newest: UInt64?) {
        self.height = height
        self.newest = newest
    }

    /// Returns the distance if it is more than the blocks that arrive while a node answers; nil otherwise.
    init?(_ height: UInt64, of newest: UInt64) {
        guard newest > height, newest - height > NodeLimits.arrivingBlocks else { return nil }
        self.init(height: height, newest: newest)
    }
}

extension BitcoinNode {
    /// Returns the distance while the node loads the chain; nil otherwise. A test chain of its own (regtest) is as old as
    /// its newest block, which Bitcoin Core takes for an initial download.
    public func lag() async throws(NodeError) -> ChainLag? {
        let information = try await rpc.read("getblockchaininfo")
        guard let blocks = information["blocks"], let headers = information["headers"] else { return nil }
        let (height, newest) = (UInt64(try blocks.height()), UInt64(try headers.height()))
        if information["initialblockdownload"]?.bool == true, network != .regtest {
            return ChainLag(height: height, newest: newest > height ? newest : nil)
        }
        return ChainLag(height, of: newest)
    }
}

extension EsploraNode {
    /// Returns nil: an explorer does not say whether its node is still loading the chain.
    public func lag() async throws(NodeError) -> ChainLag? { nil }
}

extension EthereumNode {
    /// Returns the distance while the node loads the chain (`eth_syncing`); nil otherwise, and if the node does not say.
    public func lag() async throws(NodeError) -> ChainLag? {
        guard case .result(let state) = try await rpc.readAnswer("eth_syncing", []), state.object != nil else {
            return nil
        }
        let height = try await height()
        guard let newest = try? state["highestBlock"]?.height(.height) else {
            return ChainLag(height: height, newest: nil)
        }
        return ChainLag(height, of: newest)
    }
}
