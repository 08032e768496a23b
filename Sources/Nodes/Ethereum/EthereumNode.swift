public import Amounts
internal import DisplayText
internal import Encoding
public import Ethereum
internal import Wallet

/// A node of Ethereum, or of a chain of its kind, by JSON-RPC.
///
/// ```swift
/// let node = try await EthereumNode(at: address, on: .ethereum, over: transport, patience)
/// let nonces = try await node.nonces(of: account)
/// ```
///
/// What is signed is decoded from its own bytes, by each holder, whatever a node says. Left to a lie are: the balance that is
/// shown; a nonce, with which a transaction waits for ever or is refused; fees and gas within the bounds; the outcome of a
/// simulation; whether and where a transaction was mined. Whoever runs the node sees which accounts are asked for.
public struct EthereumNode: Sendable {
    /// The chain that the node was found to be on.
    public let chain: ChainID
    let rpc: JSONRPC

    /// Looks first which chain the node is on: there is no value of a node of another.
    ///
    /// - Throws: ``NodeError/wrongChain(expected:found:)``.
    public init(
        at address: NodeAddress, on chain: ChainID, over transport: any HTTPTransport, _ patience: RetryPolicy
    ) async throws(NodeError) {
        self.chain = chain
        rpc = JSONRPC(address, over: transport, patience)
        let found = try await rpc.read("eth_chainId").quantity(.chain)
        guard found == UInt256(chain.value) else {
            let other = found.uint64.flatMap { try? ChainID($0) }?.description ?? "chain \(found)"
            throw .wrongChain(expected: chain.description, found: SanitizedText(ofNode: other))
        }
    }

    /// The height of the newest block.
    public func height() async throws(NodeError) -> UInt64 { try await rpc.read("eth_blockNumber").height(.height) }

    /// What the account has, after the newest block.
    public func balance(of account: EthereumAddress) async throws(NodeError) -> Wei {
        Wei(try await rpc.read("eth_getBalance", [account.json, "latest"]).quantity(.balance))
    }

    /// How many transactions the account has made.
    public func nonces(of account: EthereumAddress) async throws(NodeError) -> AccountNonces {
        let latest = try await rpc.read("eth_getTransactionCount", [account.json, "latest"]).uint64(.nonce)
        let pending = try await rpc.read("eth_getTransactionCount", [account.json, "pending"]).uint64(.nonce)
        // EIP-2681: the last one is never used.
        guard latest <= pending, pending < .max else { throw .inconsistent(.nonce) }
        return AccountNonces(latest: latest, pending: pending)
    }

    /// What runs when the address is called.
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

/// How many transactions an account has made: the next nonce, by two ways of counting.
public struct AccountNonces: Hashable, Sendable {
    /// Those in blocks.
    public let latest: UInt64
    /// With those that wait at this node, without a gap; never less.
    public let pending: UInt64
}

/// What runs when an address is called.
public enum AccountCode: Hashable, Sendable {
    /// Nothing: an account of a key, or an address that nobody has used.
    case none
    /// A contract.
    case contract(bytes: Int)
    /// An account of a key that has handed itself over to a contract's code (EIP-7702).
    case delegation(to: EthereumAddress)
}

extension EthereumAddress {
    var json: JSON { .string("0x" + Hex.encode(bytes)) }
}
