public import Amounts
internal import DisplayText
internal import Encoding
public import Ethereum
public import PinnedHTTP

/// A node of Ethereum or a similar chain, by JSON-RPC.
///
/// ```swift
/// let node = try await EthereumNode(at: address, on: .ethereum, over: transport, patience)
/// let nonces = try await node.nonces(of: account)
/// ```
///
/// Every participant decodes the bytes that it signs for itself, whatever a node says. A lie is possible about these:
/// the balance that is shown; a nonce, with which a transaction waits for ever or is refused; fees and gas within the
/// bounds; the result of a simulation; whether and where a transaction was mined. The node's operator sees which
/// accounts are requested.
public struct EthereumNode: Sendable {
    /// The chain of the node, which was checked.
    public let chain: ChainID
    let rpc: JSONRPC

    /// Connects to a node after checking its chain, so that no value exists for a node of another chain.
    ///
    /// - Throws: ``NodeError/wrongChain(expected:found:)``.
    public init(
        at address: NodeAddress, on chain: ChainID, over transport: any HTTPTransport, _ patience: NodeRetryPolicy
    ) async throws(NodeError) {
        self.chain = chain
        rpc = JSONRPC(address, over: transport, patience)
        let found = try await rpc.read("eth_chainId").quantity(.chain)
        guard found == UInt256(chain.value) else {
            let other = found.uint64.flatMap { try? ChainID($0) }?.description ?? "chain \(found)"
            throw .wrongChain(expected: chain.description, found: SanitizedText(ofNode: other))
        }
    }

    /// Returns the height of the newest block.
    public func height() async throws(NodeError) -> UInt64 { try await rpc.read("eth_blockNumber").height(.height) }

    /// Returns the account's balance, after the newest block.
    public func balance(of account: EthereumAddress) async throws(NodeError) -> Wei {
        Wei(try await rpc.read("eth_getBalance", [account.json, "latest"]).quantity(.balance))
    }

    /// Returns the number of transactions that the account has made.
    public func nonces(of account: EthereumAddress) async throws(NodeError) -> AccountNonces {
        let latest = try await rpc.read("eth_getTransactionCount", [account.json, "latest"]).uint64(.nonce)
        let pending = try await rpc.read("eth_getTransactionCount", [account.json, "pending"]).uint64(.nonce)
        // EIP-2681: the highest one is never used.
        guard latest <= pending, pending < .max else { throw .inconsistent(.nonce) }
        return AccountNonces(latest: latest, pending: pending)
    }

    /// Returns the code that runs when the address is called.
    public func code(at address: EthereumAddress) async throws(NodeError) -> AccountCode {
        let answer = try await rpc.read("eth_getCode", [address.json, "latest"])
        let code = try answer.data(.code, limit: NodeLimits.codeBytes)
        guard !code.isEmpty else { return .none }
        let isDelegation = code.count == 23 && code.starts(with: [0xEF, 0x01, 0x00])
        if isDelegation, let delegate = try? EthereumAddress(bytes: code.dropFirst(3)) {
            return .delegation(to: delegate)
        }
        return .contract(bytes: code.count)
    }
}

/// An account's next nonce, counted in two ways.
public struct AccountNonces: Hashable, Sendable {
    /// The number of transactions in blocks.
    public let latest: UInt64
    /// The next nonce after the transactions that wait at this node, without a gap; at least ``latest``.
    public let pending: UInt64
}

/// The code that runs when an address is called.
public enum AccountCode: Hashable, Sendable {
    /// None: an account of a key, or an unused address.
    case none
    /// A contract.
    case contract(bytes: Int)
    /// An account of a key that is delegated to a contract's code (EIP-7702).
    case delegation(to: EthereumAddress)
}

extension EthereumAddress {
    var json: JSON { JSON(data: bytes) }
}
