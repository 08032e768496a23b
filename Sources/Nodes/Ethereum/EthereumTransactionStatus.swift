public import Amounts
internal import Encoding
public import Ethereum

/// The state of an Ethereum transaction at a node.
public enum EthereumTransactionStatus: Hashable, Sendable {
    /// The node has not seen it, or has forgotten it.
    case unknown
    /// It waits for a block, perhaps again after a reorganisation.
    case waiting
    /// It is in a block of the chain.
    case mined(EthereumReceipt)
}

/// The result of a mined transaction.
public struct EthereumReceipt: Hashable, Sendable {
    /// The block's height.
    public let height: UInt64
    /// The block's hash, 32 bytes.
    public let blockHash: [UInt8]
    /// The number of blocks from its own to the newest; at least 1.
    public let confirmations: UInt64
    /// Whether it succeeded. If not, it cost its fee and changed nothing else.
    public let isSuccess: Bool
    /// The units of gas that the transaction used.
    public let gasUsed: UInt64
    /// The price of each unit of gas.
    public let gasPrice: Wei
    /// The chain's fee beside gas, if it charges one; nil if the node does not report it.
    public let dataFee: Wei?
    /// The contract that it created.
    public let contract: EthereumAddress?

    /// The total fee; nil if no account could pay it.
    public var fee: Wei? { try? gasPrice.multiplied(by: gasUsed).adding(dataFee ?? .zero) }
}

extension EthereumNode {
    /// Returns the state of a transaction. A block that has left the chain does not count.
    ///
    /// - Throws: ``NodeError/inconsistent(_:)`` for a receipt with another sender or called account, and the other
    ///   errors of a node.
    public func status(of transaction: SignedEthereumTransaction) async throws(NodeError) -> EthereumTransactionStatus {
        try await status(of: transaction.hash) { receipt throws(NodeError) in
            let parties: [(String, EthereumAddress?)] = [
                ("from", transaction.sender), ("to", transaction.transaction.to),
            ]
            for (member, expected) in parties {
                // Some nodes leave a member out.
                guard let told = receipt[member] else { continue }
                let bytes = told.isNull ? nil : try told.data(.receipt, limit: EthereumAddress.size)
                guard bytes == expected?.bytes else { throw .inconsistent(.receipt) }
            }
        }
    }

    /// Returns the state of a transaction of which only the hash is known. A block that has left the chain does not
    /// count.
    ///
    /// - Parameter hash: the transaction's hash, 32 bytes.
    public func status(of hash: [UInt8]) async throws(NodeError) -> EthereumTransactionStatus {
        try await status(of: hash) { _ throws(NodeError) in }
    }

    private func status(
        of hash: [UInt8], _ check: (JSON) throws(NodeError) -> Void
    ) async throws(NodeError) -> EthereumTransactionStatus {
        let receipt = try await rpc.read("eth_getTransactionReceipt", [JSON(data: hash)])
        guard !receipt.isNull else { return try await statusWithoutReceipt(of: hash) }
        guard try receipt["transactionHash"].required(.receipt).hash(.receipt) == hash else {
            throw .inconsistent(.receipt)
        }
        try check(receipt)
        let height = try receipt["blockNumber"].required(.receipt).height(.receipt)
        let blockHash = try receipt["blockHash"].required(.receipt).hash(.receipt)
        let status = try receipt["status"].required(.receipt).uint64(.receipt)
        let gasUsed = try receipt["gasUsed"].required(.receipt).uint64(.receipt)
        guard status <= 1, gasUsed >= NodeLimits.leastGas else { throw .unexpected(.receipt) }
        let gasPrice = Wei(try receipt["effectiveGasPrice"].required(.receipt).quantity(.receipt))
        var dataFee: Wei?
        // The name in the OP stack and Scroll.
        if let fee = receipt["l1Fee"], !fee.isNull { dataFee = Wei(try fee.quantity(.receipt)) }
        var contract: EthereumAddress?
        if let text = receipt["contractAddress"], !text.isNull {
            let bytes = try text.data(.receipt, limit: EthereumAddress.size)
            guard let address = try? EthereumAddress(bytes: bytes) else { throw .unexpected(.receipt) }
            contract = address
        }
        // A node may still show the receipt from a block that was replaced.
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
