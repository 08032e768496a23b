internal import Amounts
internal import Custody
internal import Ethereum
internal import Nodes
internal import Wallet

/// A payment on Ethereum as a person orders it: whom, and how much of what.
struct EthereumOrder {
    /// Who is paid: of a token not the contract that is called.
    let payee: EthereumAddress
    /// What the transaction does.
    let call: EthereumCall
    /// Of tokens: what their number means.
    let token: EthereumToken?
    /// In the smallest unit.
    let amount: UInt256

    /// Ether.
    init(paying amount: UInt256, to payee: EthereumAddress, from account: EthereumAddress) {
        self.payee = payee
        self.amount = amount
        token = nil
        call = EthereumCall(from: account, to: payee, value: Wei(amount), data: [])
    }

    /// A token.
    ///
    /// - Parameter text: a number, in the token's usual unit, which has no name.
    init(
        paying text: String, of token: EthereumToken, to payee: EthereumAddress, from account: EthereumAddress
    ) throws(Failure) {
        guard let amount = try? DecimalText.read(text, token.decimals) else {
            throw .usage(
                "--amount of a token is a number without a unit, with at most \(token.decimals.count) decimals")
        }
        self.payee = payee
        self.token = token
        self.amount = amount
        call = EthereumCall(
            from: account, to: token.contract, value: .zero,
            data: ContractCall.transferData(to: payee, amount: amount))
    }

    /// - Throws: a ``Failure`` if the account has fewer tokens, as the node says. How much ether there is, the checks look at.
    func checkTokens(on node: EthereumNode) async throws(Failure) {
        guard let token else { return }
        let held = try await token.balance(of: call.from, on: node)
        guard held < amount else { return }
        throw Failure(
            code: .refused, name: "insufficient_tokens",
            message: "the account has \(DecimalText.short(held, token.decimals)) of the token, and "
                + "\(DecimalText.short(amount, token.decimals)) are to be paid")
    }

    /// By what the order is known when it is given again.
    func identity(key: PaymentKey?, on chain: ChainID, account: UInt32) -> OrderIdentity {
        let asset = token.map { Asset.token($0.contract) } ?? .coin
        return OrderIdentity(
            key: key, paying: [.init(asset, amount: amount, to: .ethereum(payee))], on: .ethereum(chain), from: account)
    }

    /// Whether this transaction does what is ordered.
    func isDone(by transaction: EthereumTransaction) -> Bool {
        transaction.to == call.to && transaction.value == call.value && transaction.data == call.data
    }

    /// What the number of smallest units, which stands in the bytes, means, if only the node says so.
    var remark: Remark? {
        guard let token, !token.isKnown else { return nil }
        let count = token.decimals.count
        return Remark(
            "decimals_from_node",
            "\(amount) of the smallest unit is \(DecimalText.short(amount, token.decimals)), if the token has \(count) "
                + "decimals, as the node says: give --decimals \(count) to say it yourself", .costly)
    }
}
