public import Amounts
public import Custody
public import Ethereum
public import Nodes
public import Payments
public import Wallet

/// A planned sweep of a whole key's Ethereum account, in the chain's coin, to a wallet of shares.
public struct EthereumSweep: Sendable {
    /// The unsigned transaction.
    public let transaction: EthereumTransaction
    /// The swept account.
    public let sender: EthereumAddress
    /// The wallet's account that is paid.
    public let recipient: EthereumAddress
    /// The amount paid.
    public let value: Wei
    /// The highest fee, including the chain's fee beside gas.
    public let highestFee: Wei
    /// The part of the highest fee that may not be needed, and stays.
    public let left: Wei
    /// The chain's fee beside gas.
    public let further: FurtherFee
    private let node: EthereumNode

    /// Plans the sweep of an account.
    ///
    /// - Parameters:
    ///   - sender: the swept account.
    ///   - wallet: the receiving wallet, whose first account is paid.
    /// - Throws: `PaymentError.sweep(_:)`, `PaymentError.gas(_:)`, `PaymentError.node(_:)`,
    ///   `PaymentError.custody(_:)`.
    public init(
        of sender: EthereumAddress, into wallet: WalletRecord, fee: EthereumFee, at node: EthereumNode
    ) async throws(PaymentError) {
        let recipient = try PaymentError.attempt { () throws(CustodyError) in try wallet.ethereumKey(at: 0).address }
        guard sender != recipient else { throw .sweep(.sameAccount(sender)) }
        try wallet.requireSharedFromBirth()
        let (balance, nonces) = try await PaymentError.attempt { () async throws(NodeError) in
            (try await node.balance(of: sender), try await node.nonces(of: sender))
        }
        guard nonces.pending == nonces.latest else { throw .sweep(.transactionsWait(sender)) }
        let poor = PaymentError.sweep(.onlyFee(sender, balance, node.chain))
        guard balance != .zero else { throw poor }
        // The amount does not change the gas of a payment; the node is asked with an available one.
        let gas = try await PaymentError.attempt { () async throws(NodeError) in
            let call = EthereumCall(from: sender, to: recipient, value: Wei(1), data: [])
            return try await node.takesLeastGas(call) ? NodeLimits.leastGas : try await node.gasLimit(for: call)
        }
        func payment(_ value: Wei, _ fees: EthereumTransaction.Fees) throws(PaymentError) -> EthereumTransaction {
            try PaymentError.attempt { () throws(EthereumError) in
                try EthereumTransaction(
                    chainID: node.chain, nonce: nonces.latest, gasLimit: gas, to: recipient, value: value, data: [],
                    kind: .dynamicFee(fees, []))
            }
        }
        let ceiling = try await FeeCeiling(fee, for: try payment(balance, .most(fee, gas: gas)), on: node)
        let fees = try await ceiling.prices(on: node).fees(fee.priority)
        guard let gasFee = try? fees.maxFeePerGas.multiplied(by: gas),
            let all = try? gasFee.adding(Wei(ceiling.further.reserve)),
            let value = try? balance.subtracting(all), value != .zero,
            // The block producer gets at least the tip, whatever the base fee is (EIP-1559).
            let tip = try? fees.maxPriorityFeePerGas.multiplied(by: gas), let left = try? all.subtracting(tip)
        else { throw poor }
        transaction = try payment(value, fees)
        self.sender = sender
        self.recipient = recipient
        self.value = value
        self.left = left
        self.node = node
        highestFee = all
        further = ceiling.further
    }

    /// Signs and sends it. The same sweep again has the same nonce, so that at most one is mined.
    ///
    /// - Throws: `PaymentError.delivery(_:)`.
    public func send(from account: borrowing WholeEthereumAccount) async throws(PaymentError)
        -> SignedEthereumTransaction
    {
        let signed: SignedEthereumTransaction
        do throws(EthereumError) { signed = try account.sign(transaction) } catch { throw error.asPaymentError }
        do throws(NodeError) { try await node.broadcast(signed) } catch {
            throw .delivery(.notSent(id: signed.name, .ethereum(node.chain), error, isRefused: false))
        }
        return signed
    }
}
