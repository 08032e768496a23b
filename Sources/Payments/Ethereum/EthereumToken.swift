public import Amounts
public import Ethereum
public import Nodes
public import Wallet

/// An Ethereum token (ERC-20), as a node reports its contract.
public struct EthereumToken: Sendable {
    /// The token's contract.
    public let contract: EthereumAddress
    /// The node's number of decimals. If it is false, an amount differs from the intended one.
    public let decimals: Decimals
    /// The symbol of the token, from the list of known tokens or from the contract. Nil if the contract has none that
    /// can be shown, or if it imitates the symbol of another token or of a coin (`TokenUnit.isTaken(_:on:)`).
    public let symbol: TokenSymbol?
    /// Whether the list of known tokens or the user has stated the same number of decimals.
    public private(set) var isKnown: Bool
    private let isListed: Bool

    /// Asks the contract for its number of decimals and its symbol.
    ///
    /// - Parameter known: the number of decimals, if the user has stated it.
    /// - Throws: ``PaymentError/token(_:)``, also if the node reports another number of decimals than the list of known
    ///   tokens; ``PaymentError/node(_:)``.
    public init(
        _ contract: EthereumAddress, decimals known: Int?, on node: EthereumNode
    ) async throws(PaymentError) {
        let code = try await attempt { () async throws(NodeError) in try await node.code(at: contract) }
        guard case .contract = code else { throw .token(.noContract(contract)) }
        let words = try await Self.word(of: contract, [0x31, 0x3C, 0xE5, 0x67], node)
        guard let count = words?.uint64.flatMap({ Int(exactly: $0) }), let decimals = try? Decimals(count) else {
            throw .token(.noDecimals(contract))
        }
        let listed = TokenUnit.listed(contract, on: node.chain)
        self.contract = contract
        self.decimals = decimals
        symbol = if let listed { listed.symbol } else { try await Self.symbol(of: contract, node) }
        isListed = listed != nil
        isKnown = false
        if let listed { try check(listed.decimals.count) }
        if let known { try check(known) }
    }

    /// The unit in which the amounts are shown.
    public var unit: TokenUnit {
        TokenUnit(of: contract, symbol: symbol, decimals: decimals, source: isListed ? .list : isKnown ? .user : .node)
    }

    /// Compares the node's number of decimals with the policy's, if the policy names this token.
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

    /// Returns the balance of an account, in the token's smallest unit.
    ///
    /// - Throws: ``PaymentError/token(_:)``, ``PaymentError/node(_:)``.
    public func balance(of account: EthereumAddress, on node: EthereumNode) async throws(PaymentError) -> UInt256 {
        let padding = [UInt8](repeating: 0, count: 12)
        guard let balance = try await Self.word(of: contract, [0x70, 0xA0, 0x82, 0x31] + padding + account.bytes, node)
        else { throw .token(.noBalance(contract)) }
        return balance
    }

    /// Returns the contract's own symbol; nil if it cannot be shown.
    private static func symbol(of contract: EthereumAddress, _ node: EthereumNode) async throws(PaymentError)
        -> TokenSymbol?
    {
        let call = EthereumCall(from: .zero, to: contract, value: .zero, data: TokenSymbol.selector)
        let outcome = try await attempt { () async throws(NodeError) in try await node.simulate(call) }
        guard case .returns(let bytes) = outcome, let symbol = try? TokenSymbol(decoding: bytes),
            !TokenUnit.isTaken(symbol, on: node.chain)
        else { return nil }
        return symbol
    }

    /// Calls a function that returns one number: `decimals()`, `balanceOf(address)`.
    private static func word(
        of contract: EthereumAddress, _ data: [UInt8], _ node: EthereumNode
    ) async throws(PaymentError) -> UInt256? {
        let call = EthereumCall(from: .zero, to: contract, value: .zero, data: data)
        let outcome = try await attempt { () async throws(NodeError) in try await node.simulate(call) }
        guard case .returns(let bytes) = outcome, bytes.count == 32 else { return nil }
        return try? UInt256(bytes: bytes)
    }
}
