public import Amounts
public import Custody
public import Ethereum
internal import Nodes
internal import Wallet

/// A payment on Ethereum as a person orders it: whom, and how much of what.
public struct EthereumOrder: Sendable {
    /// Who is paid: of a token not the contract that is called.
    public let payee: EthereumAddress
    /// Of tokens: what their number means.
    public let token: EthereumToken?
    /// In the smallest unit.
    public let amount: UInt256

    /// The chain's coin.
    ///
    /// - Parameter amount: in its smallest unit.
    public init(paying amount: UInt256, to payee: EthereumAddress) {
        self.payee = payee
        self.amount = amount
        token = nil
    }

    /// A token.
    ///
    /// - Parameter amount: in the token's smallest unit.
    public init(paying amount: UInt256, of token: EthereumToken, to payee: EthereumAddress) {
        self.payee = payee
        self.token = token
        self.amount = amount
    }

    /// What the transaction does, from this account.
    func call(from account: EthereumAddress) -> EthereumCall {
        guard let token else { return EthereumCall(from: account, to: payee, value: Wei(amount), data: []) }
        return EthereumCall(
            from: account, to: token.contract, value: .zero,
            data: ContractCall.transferData(to: payee, amount: amount))
    }

    /// Checks that the account has the tokens, as the node says. How much of the chain's coin there is, the checks look at.
    ///
    /// - Throws: ``PaymentError/token(_:)``.
    func checkTokens(of account: EthereumAddress, on node: EthereumNode) async throws(PaymentError) {
        guard let token else { return }
        let held = try await token.balance(of: account, on: node)
        guard held < amount else { return }
        throw .token(.insufficient(held: held, amount: amount, token.decimals))
    }

    /// By what the order is known when it is given again.
    public func identity(key: PaymentKey?, on chain: ChainID, account: UInt32) -> OrderIdentity {
        let asset = token.map { Asset.token($0.contract) } ?? .coin
        return OrderIdentity(
            key: key, paying: [.init(asset, amount: amount, to: .ethereum(payee))], on: .ethereum(chain), from: account)
    }

    /// Whether this transaction does what is ordered.
    func isDone(by transaction: EthereumTransaction) -> Bool { transaction.does(call(from: .zero)) }

    /// What the number of smallest units, which stands in the bytes, means, if only the node says so.
    var finding: PaymentFinding? {
        guard let token, !token.isKnown else { return nil }
        return .decimalsFromNode(amount: amount, token.decimals)
    }
}
