public import Amounts
public import Ethereum
internal import Nodes
public import Wallet

/// An order for an Ethereum payment: the payee, and the amount of a coin or token.
public struct EthereumOrder: Sendable {
    /// The payee: for a token not the called contract.
    public let payee: EthereumAddress
    /// The token with its decimals; nil for the chain's coin.
    public let token: EthereumToken?
    /// The amount in the smallest unit.
    public let amount: UInt256

    /// Creates an order of the chain's coin.
    ///
    /// - Parameter amount: the amount in its smallest unit.
    public init(paying amount: UInt256, to payee: EthereumAddress) {
        self.payee = payee
        self.amount = amount
        token = nil
    }

    /// Creates an order of a token.
    ///
    /// - Parameter amount: the amount in the token's smallest unit.
    public init(paying amount: UInt256, of token: EthereumToken, to payee: EthereumAddress) {
        self.payee = payee
        self.token = token
        self.amount = amount
    }

    /// Returns the call that carries out the order from this account.
    func call(from account: EthereumAddress) -> EthereumCall {
        guard let token else { return EthereumCall(from: account, to: payee, value: Wei(amount), data: []) }
        return EthereumCall(
            from: account, to: token.contract, value: .zero,
            data: ContractCall.transferData(to: payee, amount: amount))
    }

    /// Checks that the account has the tokens, as the node reports. The checks before signing cover the chain's coin.
    ///
    /// - Throws: ``PaymentError/token(_:)``.
    func checkTokens(of account: EthereumAddress, on node: EthereumNode) async throws(PaymentError) {
        guard let token else { return }
        let held = try await token.balance(of: account, on: node)
        guard held < amount else { return }
        throw .token(.insufficient(held: held, amount: amount, token.decimals))
    }

    /// Returns the identity by which the order is recognised when it is given again.
    public func identity(key: PaymentKey?, on chain: ChainID, account: UInt32) -> OrderIdentity {
        let asset = token.map { Asset.token($0.contract) } ?? .coin
        return OrderIdentity(
            key: key, paying: [.init(asset, amount: amount, to: .ethereum(payee))], on: .ethereum(chain), from: account)
    }

    /// Returns whether this transaction carries out the order.
    func isDone(by transaction: EthereumTransaction) -> Bool { transaction.does(call(from: .zero)) }

    /// The finding about the meaning of the signed number of smallest units, if only the node reports it.
    var finding: PaymentFinding? {
        guard let token, !token.isKnown else { return nil }
        return .decimalsFromNode(amount: amount, token.decimals)
    }
}
