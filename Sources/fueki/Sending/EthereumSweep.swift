internal import Amounts
internal import Custody
internal import Encoding
internal import Ethereum
internal import HDKeys
internal import Nodes
internal import Wallet

/// Moves what an account on Ethereum whose key is whole has of the chain's coin to a wallet of shares.
struct EthereumSweep {
    private let command: WalletSweep
    private let wallet: WalletRecord
    private let chain: ChainID
    private let output: Output

    init(_ command: WalletSweep, _ wallet: WalletRecord, _ chain: ChainID, _ output: Output) {
        self.command = command
        self.wallet = wallet
        self.chain = chain
        self.output = output
    }

    func run(_ account: borrowing WholeEthereumAccount) async throws(Failure) -> WalletSweep.Result {
        _ = try command.fees.highestFee(on: chain)
        let own = try attempt { () throws(CustodyError) in try wallet.accounts.ethereum }
        let receiving = try attempt { () throws(HDKeyError) in try own?.key(at: 0).address }
        let sender = account.address
        guard sender != receiving else {
            throw Failure(
                code: .refused, name: "same_account",
                message: "\(sender) is the account of the wallet itself")
        }
        try command.checkReceiver(wallet)
        guard let recipient = receiving else { throw HDKeyError.badPath.failure }
        let node = try await command.node.ethereum(chain: chain)
        let (balance, nonces) = try await attempt { () async throws(NodeError) in
            (try await node.balance(of: sender), try await node.nonces(of: sender))
        }
        guard nonces.pending == nonces.latest else {
            throw Failure(
                code: .refused, name: "transactions_wait", message: "\(sender) has transactions that wait",
                hint: "wait until they are mined: what is left then is moved")
        }
        let poor = Failure(
            code: .refused, name: "nothing_found",
            message: "\(sender) has \(balance.text(on: chain)), and no more than a fee")
        guard balance != .zero else { throw poor }
        // The amount does not change how much gas a payment takes; the node is asked with one that is there.
        let gas = try await attempt { () async throws(NodeError) in
            let call = EthereumCall(from: sender, to: recipient, value: Wei(1), data: [])
            return try await node.takesLeastGas(call) ? NodeLimits.leastGas : try await node.gasLimit(for: call)
        }
        func payment(_ value: Wei, _ fees: EthereumTransaction.Fees) throws(Failure) -> EthereumTransaction {
            do throws(EthereumError) {
                return try EthereumTransaction(
                    chainID: chain, nonce: nonces.latest, gasLimit: gas, to: recipient, value: value, data: [],
                    kind: .dynamicFee(fees, []))
            } catch { throw error.failure }
        }
        let draft = try payment(balance, .most(command.fees, gas: gas, on: chain))
        let ceiling = try await FeeCeiling(command.fees, for: draft, on: node)
        let fees = command.fees.fee.fees(of: try await ceiling.prices(on: node))
        let further = Wei(ceiling.further.reserve)
        guard let fee = try? fees.maxFeePerGas.multiplied(by: gas), let all = try? fee.adding(further),
            let value = try? balance.subtracting(all), value != .zero,
            // The block producer gets the tip at least, whatever the base fee is (EIP-1559).
            let tip = try? fees.maxPriorityFeePerGas.multiplied(by: gas), let left = try? all.subtracting(tip)
        else { throw poor }
        let transaction = try payment(value, fees)
        let scope = "what \(sender) has of the chain's coin, not its tokens"
        let stays = left == .zero ? nil : "what of the fee is not needed, at most \(left.text(on: chain)), stays"
        func result(_ id: String?) -> WalletSweep.Result {
            WalletSweep.Result(
                id: id, chain: Chain.ethereum(chain).description, amount: value.value.description,
                to: recipient.description, highest_fee: all.value.description, left: left.value.description,
                stays: stays,
                looked_at: scope)
        }
        let table = Table([
            ["from", sender.description], ["to", recipient.description, "the wallet '\(wallet.name)'"],
            ["pays", value.text(on: chain)], ["fee", "at most \(all.text(on: chain))"],
            ["chain", Chain.ethereum(chain).name],
        ])
        let lines =
            ["looked at: \(scope)"] + (stays.map { [$0] } ?? []) + (note(on: ceiling.further).map { [$0] } ?? [])
        let question = table.text + "\n\n" + lines.joined(separator: "\n")
        guard try command.confirm(question, [Intent(transaction, from: sender)], output) else { return result(nil) }
        let signed = try attempt { () throws(EthereumError) in try account.sign(transaction) }
        let id = "0x" + Hex.encode(signed.hash)
        do throws(NodeError) { try await node.broadcast(signed) } catch {
            let failure = error.failure
            throw Failure(
                code: failure.code, name: failure.name, message: "transaction \(id) is signed, but \(failure.message)",
                hint: "run the same sweep again: it has the same number (nonce), so at most one is mined",
                quoted: failure.quoted)
        }
        return result(id)
    }

    /// What a person should know of fees that are not in "at most".
    private func note(on further: FurtherFee) -> String? {
        switch further {
        case .none, .now(.zero): nil
        case .now(let fee):
            "of the fee \(Wei(further.reserve).text(on: chain)) is set aside for what this chain charges beside gas: "
                + "\(Wei(fee).text(on: chain)) now, as the node says"
        case .untold: "this chain charges a further fee that is not in 'at most', and the node does not say how much"
        case .possible: "fueki does not know this chain, which may charge a further fee that is not in 'at most'"
        }
    }
}
