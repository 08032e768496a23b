public import Amounts
internal import Encoding
public import Ethereum
internal import Wallet

/// Where a transaction of Ethereum is.
public enum EthereumTransactionStatus: Hashable, Sendable {
    /// The node has not seen it, or has forgotten it.
    case unknown
    /// It waits for a block, perhaps for the second time.
    case waiting
    /// It is in a block of the chain.
    case mined(EthereumReceipt)
}

/// What came of a transaction.
public struct EthereumReceipt: Hashable, Sendable {
    /// The block's height.
    public let height: UInt64
    /// 32 bytes.
    public let blockHash: [UInt8]
    /// Blocks from its own to the newest; at least 1.
    public let confirmations: UInt64
    /// Whether it did what it was to do. If not, it cost its fee and changed nothing else.
    public let isSuccess: Bool
    /// The units of gas that the transaction used.
    public let gasUsed: UInt64
    /// What each unit of gas cost.
    public let gasPrice: Wei
    /// What the chain charged beside gas, on a chain that does; nil if the node does not say it.
    public let dataFee: Wei?
    /// The contract that it made.
    public let contract: EthereumAddress?

    /// What the transaction cost in all; nil if no account could pay as much.
    public var fee: Wei? { try? gasPrice.multiplied(by: gasUsed).adding(dataFee ?? .zero) }
}

extension EthereumNode {
    /// Where a transaction is. A block that the chain has left since does not count.
    ///
    /// - Parameter hash: 32 bytes.
    public func status(of hash: [UInt8]) async throws(NodeError) -> EthereumTransactionStatus {
        let receipt = try await rpc.read("eth_getTransactionReceipt", [JSON(data: hash)])
        guard !receipt.isNull else { return try await statusWithoutReceipt(of: hash) }
        guard try receipt["transactionHash"].required(.receipt).hash(.receipt) == hash else {
            throw .inconsistent(.receipt)
        }
        let height = try receipt["blockNumber"].required(.receipt).height(.receipt)
        let blockHash = try receipt["blockHash"].required(.receipt).hash(.receipt)
        let status = try receipt["status"].required(.receipt).uint64(.receipt)
        let gasUsed = try receipt["gasUsed"].required(.receipt).uint64(.receipt)
        guard status <= 1, gasUsed >= NodeLimits.leastGas else { throw .unexpected(.receipt) }
        let gasPrice = Wei(try receipt["effectiveGasPrice"].required(.receipt).quantity(.receipt))
        var dataFee: Wei?
        // As the OP stack and Scroll name it.
        if let fee = receipt["l1Fee"], !fee.isNull { dataFee = Wei(try fee.quantity(.receipt)) }
        var contract: EthereumAddress?
        if let text = receipt["contractAddress"], !text.isNull {
            let bytes = try text.data(.receipt, limit: EthereumAddress.size)
            guard let address = try? EthereumAddress(bytes: bytes) else { throw .unexpected(.receipt) }
            contract = address
        }
        // A node may still show the receipt of a block that another one has replaced.
        let block = try await rpc.read("eth_getBlockByNumber", [.string(UInt256(height).quantity), false])
        guard !block.isNull, try block["hash"].required(.block).hash(.block) == blockHash else { return .waiting }
        guard try block["number"].required(.block).uint64(.block) == height else { throw .inconsistent(.block) }
        let newest = try await self.height()
        guard newest >= height else { throw .inconsistent(.height) }
        return .mined(
            EthereumReceipt(
                height: height, blockHash: blockHash, confirmations: newest - height + 1, isSuccess: status == 1,
                gasUsed: gasUsed, gasPrice: gasPrice, dataFee: dataFee, contract: contract))
    }

    private func statusWithoutReceipt(of hash: [UInt8]) async throws(NodeError) -> EthereumTransactionStatus {
        let transaction = try await rpc.read("eth_getTransactionByHash", [JSON(data: hash)])
        guard !transaction.isNull else { return .unknown }
        guard try transaction["hash"].required(.transaction).hash(.transaction) == hash else {
            throw .inconsistent(.transaction)
        }
        return .waiting
    }
}
