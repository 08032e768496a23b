internal import Custody
internal import Encoding
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

    /// What a payment takes (Yellow Paper, G_transaction).
    private static let gas: UInt64 = 21_000

    func run(_ account: borrowing WholeEthereumAccount) async throws(Failure) -> WalletSweep.Result {
        let ceiling = try command.fees.highestFee(in: .ether)
        let own = try attempt { () throws(CustodyError) in try wallet.accounts.ethereum }
        let receiving = try attempt { () throws(WalletError) in try own?.key(at: 0).address }
        let sender = account.address
        guard sender != receiving else {
            throw Failure(
                code: .refused, name: "same_account",
                message: "\(sender) is the account of the wallet itself")
        }
        try command.checkReceiver(wallet)
        guard let recipient = receiving else { throw WalletError.badPath.failure }
        let node = try await command.node.ethereum(chain: chain)
        guard let most = try? ceiling.divided(by: UInt256(Self.gas)).quotient else {
            throw .usage("--max-fee is no fee")
        }
        let bounds = GasPriceBounds(maxFeePerGas: Wei(most), maxPriorityFeePerGas: Wei(most))
        let (balance, nonces, prices) = try await attempt { () async throws(NodeError) in
            (
                try await node.balance(of: sender), try await node.nonces(of: sender),
                try await node.gasPrices(within: bounds)
            )
        }
        guard nonces.pending == nonces.latest else {
            throw Failure(
                code: .refused, name: "transactions_wait", message: "\(sender) has transactions that wait",
                hint: "wait until they are mined: what is left then is moved")
        }
        let fees =
            switch command.fees.fee {
            case .low: prices.low
            case .normal: prices.normal
            case .high: prices.high
            }
        guard let fee = try? fees.maxFeePerGas.multiplied(by: Self.gas),
            let value = try? balance.value.subtracting(fee.value), !value.isZero,
            // The miner gets the tip at least, whatever the base fee is (EIP-1559).
            let tip = try? fees.maxPriorityFeePerGas.multiplied(by: Self.gas),
            let left = try? fee.value.subtracting(tip.value)
        else {
            throw Failure(
                code: .refused, name: "nothing_found",
                message: "\(sender) has \(balance.text(on: chain)), and no more than a fee")
        }
        let transaction = try attempt { () throws(WalletError) in
            try EthereumTransaction(
                chainID: chain, nonce: nonces.latest, gasLimit: Self.gas, to: recipient, value: Wei(value), data: [],
                kind: .dynamicFee(fees, []))
        }
        let scope = "what \(sender) has of the chain's coin, not its tokens"
        let stays = left.isZero ? nil : "what of the fee is not needed, at most \(Wei(left).text(on: chain)), stays"
        func result(_ id: String?) -> WalletSweep.Result {
            WalletSweep.Result(
                id: id, chain: Chain.ethereum(chain).description, amount: value.description,
                to: recipient.description, highest_fee: fee.value.description, left: left.description, stays: stays,
                looked_at: scope)
        }
        let table = Table([
            ["from", sender.description], ["to", recipient.description, "the wallet '\(wallet.name)'"],
            ["pays", Wei(value).text(on: chain)], ["fee", "at most \(fee.text(on: chain))"],
            ["chain", chain.description],
        ])
        let lines = ["looked at: \(scope)"] + (stays.map { [$0] } ?? [])
        guard
            try command.confirm(
                table.text + "\n\n" + lines.joined(separator: "\n"), Intent(transaction, from: sender), output)
        else { return result(nil) }
        let signed = try attempt { () throws(WalletError) in try account.sign(transaction) }
        let id = "0x" + Hex.encode(signed.hash)
        do throws(NodeError) { try await node.broadcast(signed) } catch {
            let failure = error.failure
            throw Failure(
                code: failure.code, name: failure.name, message: "transaction \(id) is signed, but \(failure.message)",
                hint: "run the same sweep again: it has the same number (nonce), so at most one is mined")
        }
        return result(id)
    }
}
