internal import Amounts
internal import Custody
internal import Ethereum
internal import Payments
internal import Terminal
internal import Wallet

/// Shows what moves from an account on Ethereum whose key is whole to a wallet, asks, and has it moved.
struct EthereumSweepRun {
    let command: WalletSweep
    let wallet: WalletRecord
    let chain: ChainID
    let output: Output

    func run(_ account: borrowing WholeEthereumAccount) async throws(Failure) -> WalletSweep.Result {
        let fee = try command.fees.onEthereum(chain)
        let sender = account.address
        let node = try await command.node.ethereum(chain: chain)
        let sweep = try await attempt { () async throws(PaymentError) in
            try await EthereumSweep(of: sender, into: wallet, fee: fee, at: node)
        }
        let scope = "what \(sender) has of the chain's coin, not its tokens"
        let stays =
            sweep.left == .zero
            ? nil : "what of the fee is not needed, at most \(sweep.left.text(on: chain)), stays"
        let table = Table([
            ["from", sender.description], ["to", sweep.recipient.description, "the wallet '\(wallet.name)'"],
            ["pays", sweep.value.text(on: chain)], ["fee", "at most \(sweep.highestFee.text(on: chain))"],
            ["chain", Chain.ethereum(chain).name],
        ])
        let lines =
            ["looked at: \(scope)"] + (stays.map { [$0] } ?? []) + (note(on: sweep.further).map { [$0] } ?? [])
        let question = table.text + "\n\n" + lines.joined(separator: "\n")
        var id: String?
        if try command.confirm(question, [Intent(sweep.transaction, from: sender)], output) {
            do throws(PaymentError) { id = try await sweep.send(from: account).name } catch {
                var failure = error.failure
                if case .delivery(.notSent(_, _, let cause, _)) = error {
                    failure = Failure(
                        code: failure.code, name: cause.failure.name, message: failure.message,
                        hint: "run the same sweep again: it has the same number (nonce), so at most one is mined",
                        quoted: failure.quoted)
                }
                throw failure
            }
        }
        return WalletSweep.Result(
            id: id, chain: Chain.ethereum(chain).description, amount: sweep.value.value.description,
            to: sweep.recipient.description, highest_fee: sweep.highestFee.value.description,
            left: sweep.left.value.description, stays: stays, looked_at: scope)
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
