public import Amounts
public import Ethereum
public import Nodes
public import Wallet

/// A token of Ethereum (ERC-20), as its contract describes it, by way of a node.
public struct EthereumToken: Sendable {
    /// The token's contract.
    public let contract: EthereumAddress
    /// What the node says. Where it lies, an amount is another one than was meant.
    public let decimals: Decimals
    /// Whether the person has said the same.
    public private(set) var isKnown: Bool

    /// Asks the contract how many decimals its amounts have.
    ///
    /// - Parameter known: how many places it has, if the person has said so.
    /// - Throws: ``PaymentError/token(_:)``, ``PaymentError/node(_:)``.
    public init(
        _ contract: EthereumAddress, decimals known: Int?, on node: EthereumNode
    ) async throws(PaymentError) {
        let code = try await attempt { () async throws(NodeError) in try await node.code(at: contract) }
        guard case .contract = code else { throw .token(.noContract(contract)) }
        let words = try await Self.word(of: contract, [0x31, 0x3C, 0xE5, 0x67], node)
        guard let count = words?.uint64.flatMap({ Int(exactly: $0) }), let decimals = try? Decimals(count) else {
            throw .token(.noDecimals(contract))
        }
        self.contract = contract
        self.decimals = decimals
        isKnown = false
        if let known { try check(known) }
    }

    /// Compares what the node says with what the policy says, if it names this token.
    public mutating func check(by policy: Policy, on chain: ChainID) throws(PaymentError) {
        for token in policy.tokens where token.chain == .ethereum(chain) && token.asset == .token(contract) {
            try check(token.decimals.count)
        }
    }

    private mutating func check(_ known: Int) throws(PaymentError) {
        guard known == decimals.count else {
            throw .token(.otherDecimals(contract, told: decimals.count, known: known))
        }
        isKnown = true
    }

    /// How much of it an account has, in its smallest unit.
    ///
    /// - Throws: ``PaymentError/token(_:)``, ``PaymentError/node(_:)``.
    public func balance(of account: EthereumAddress, on node: EthereumNode) async throws(PaymentError) -> UInt256 {
        let padding = [UInt8](repeating: 0, count: 12)
        guard let balance = try await Self.word(of: contract, [0x70, 0xA0, 0x82, 0x31] + padding + account.bytes, node)
        else { throw .token(.noBalance(contract)) }
        return balance
    }

    /// What a function answers that answers with one number: `decimals()`, `balanceOf(address)`.
    private static func word(
        of contract: EthereumAddress, _ data: [UInt8], _ node: EthereumNode
    ) async throws(PaymentError) -> UInt256? {
        let call = EthereumCall(from: .zero, to: contract, value: .zero, data: data)
        let outcome = try await attempt { () async throws(NodeError) in try await node.simulate(call) }
        guard case .returns(let bytes) = outcome, bytes.count == 32 else { return nil }
        return try? UInt256(bytes: bytes)
    }
}
