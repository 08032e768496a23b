public import Bitcoin
internal import DisplayText
internal import Encoding
public import HDKeys
public import PinnedHTTP

/// Bitcoin Core, or a node with its interface, by JSON-RPC. It needs no wallet and no index.
///
/// ```swift
/// let node = try await BitcoinNode(at: address, on: .mainnet, over: transport, patience)
/// let coins = try await node.coins(of: scripts)
/// ```
///
/// A user's own node reveals nothing to others except the transactions that it broadcasts.
public struct BitcoinNode: BitcoinChain {
    public let network: Network
    let rpc: JSONRPC

    /// Connects to a node after checking its chain, so that no value exists for a node of another chain.
    ///
    /// - Throws: ``NodeError/wrongChain(expected:found:)``.
    public init(
        at address: NodeAddress, on network: Network, over transport: any HTTPTransport, _ patience: NodeRetryPolicy
    ) async throws(NodeError) {
        self.network = network
        rpc = JSONRPC(address, over: transport, patience)
        let information = try await rpc.read("getblockchaininfo")
        guard let chain = information["chain"]?.string else { throw .unexpected(.chain) }
        guard Self.names(of: network).contains(chain) else {
            throw .wrongChain(expected: network.name, found: SanitizedText(ofNode: chain))
        }
        // Nodes of other coins use the same names.
        guard let first = try await rpc.read("getblockhash", [0]).string else { throw .unexpected(.chain) }
        try Genesis.check(first, for: network)
    }

    private static func names(of network: Network) -> [String] {
        switch network {
        case .mainnet: ["main"]
        case .testnet: ["test", "testnet4"]
        case .signet: ["signet"]
        case .regtest: ["regtest"]
        }
    }

    public func height() async throws(NodeError) -> UInt32 { try await rpc.read("getblockcount").height() }

    public func transaction(_ id: TransactionID) async throws(NodeError) -> Transaction? {
        try await transaction(id, in: nil)
    }

    /// Asks for a transaction.
    ///
    /// - Parameter block: the block's hash. Without it, a node without an index finds only waiting transactions.
    func transaction(_ id: TransactionID, in block: JSON?) async throws(NodeError) -> Transaction? {
        var parameters: [JSON] = [.string(id.description), false]
        if let block { parameters.append(block) }
        guard
            let answer = try await found("getrawtransaction", parameters, limit: NodeLimits.longAnswerBytes)
        else { return nil }
        guard let text = answer.string else { throw .unexpected(.transaction) }
        return try Transaction(hexadecimal: text, expecting: id)
    }

    /// Returns the answer to a request; nil if the node says that the object does not exist.
    func found(
        _ method: String, _ parameters: [JSON], limit: Int = NodeLimits.answerBytes
    ) async throws(NodeError) -> JSON? {
        do throws(NodeError) {
            return try await rpc.read(method, parameters, limit: limit)
        } catch {
            if case .rpc(Fault.notFound, _) = error { return nil }
            throw error
        }
    }

    /// The numbers of Bitcoin Core's errors (`rpc/protocol.h`).
    enum Fault {
        static let misc: Int64 = -1
        static let notFound: Int64 = -5
        static let invalidParameter: Int64 = -8
        static let alreadyInChain: Int64 = -27
        static let unknownMethod: Int64 = -32_601
    }

    // MARK: - Fees

    public func feeRates() async throws(NodeError) -> FeeRateSuggestion {
        FeeRateSuggestion(
            low: try await feeRate(within: 144), normal: try await feeRate(within: 6),
            high: try await feeRate(within: 2), on: network)
    }

    /// Returns the feerate; nil while the node has too few data.
    private func feeRate(within blocks: Int64) async throws(NodeError) -> FeeRate? {
        let estimate = try await rpc.read("estimatesmartfee", [JSON(blocks)])
        guard let rate = estimate["feerate"] else {
            guard estimate["errors"]?.array != nil else { throw .unexpected(.fee) }
            return nil
        }
        guard let number = rate.number else { throw .unexpected(.fee) }
        return try FeeRate(number, places: 8)
    }
}
