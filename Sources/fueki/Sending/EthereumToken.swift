internal import Amounts
internal import Ethereum
internal import Nodes
internal import Wallet

/// A token of Ethereum (ERC-20), as its contract describes it, by way of a node.
struct EthereumToken {
    let contract: EthereumAddress
    /// What the node says. Where it lies, an amount is another one than was meant.
    let decimals: Decimals
    /// Whether the person has said the same.
    private(set) var isKnown: Bool

    /// - Parameter known: how many places it has, if the person has said so.
    init(
        _ text: String, decimals known: Int?, on node: EthereumNode
    ) async throws(Failure) {
        let contract = try attempt(on: "--token") { () throws(EthereumError) in try EthereumAddress(text) }
        let code = try await attempt { () async throws(NodeError) in try await node.code(at: contract) }
        guard case .contract = code else { throw .noToken(contract, "there is no contract on this chain") }
        let words = try await Self.word(of: contract, [0x31, 0x3C, 0xE5, 0x67], node)
        guard let count = words?.uint64.flatMap({ Int(exactly: $0) }), let decimals = try? Decimals(count) else {
            throw .noToken(contract, "the contract there does not say how many decimals its amounts have")
        }
        self.contract = contract
        self.decimals = decimals
        isKnown = false
        if let known { try check(known) }
    }

    /// Compares what the node says with what the policy says, if it names this token.
    mutating func check(by policy: Policy, on chain: ChainID) throws(Failure) {
        for token in policy.tokens where token.chain == .ethereum(chain) && token.asset == .token(contract) {
            try check(token.decimals.count)
        }
    }

    private mutating func check(_ known: Int) throws(Failure) {
        guard known == decimals.count else {
            throw Failure(
                code: .refused, name: "other_decimals",
                message: "the node says that \(contract) has \(decimals.count) decimals, and not \(known)")
        }
        isKnown = true
    }

    /// How much of it an account has, in its smallest unit.
    func balance(of account: EthereumAddress, on node: EthereumNode) async throws(Failure) -> UInt256 {
        let padding = [UInt8](repeating: 0, count: 12)
        guard let balance = try await Self.word(of: contract, [0x70, 0xA0, 0x82, 0x31] + padding + account.bytes, node)
        else { throw .noToken(contract, "the contract there does not say who has how much") }
        return balance
    }

    /// What a function answers that answers with one number: `decimals()`, `balanceOf(address)`.
    private static func word(
        of contract: EthereumAddress, _ data: [UInt8], _ node: EthereumNode
    ) async throws(Failure) -> UInt256? {
        let call = EthereumCall(from: .zero, to: contract, value: .zero, data: data)
        let outcome = try await attempt { () async throws(NodeError) in try await node.simulate(call) }
        guard case .returns(let bytes) = outcome, bytes.count == 32 else { return nil }
        return try? UInt256(bytes: bytes)
    }
}

extension Failure {
    fileprivate static func noToken(_ contract: EthereumAddress, _ reason: String) -> Failure {
        Failure(code: .badInput, name: "no_token", message: "\(contract) is no token: \(reason)")
    }
}
