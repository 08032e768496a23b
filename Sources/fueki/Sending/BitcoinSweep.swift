internal import Custody
internal import Nodes
internal import Secrets
internal import Wallet

/// Moves all coins of a mnemonic's accounts on Bitcoin to a wallet of shares.
struct BitcoinSweep {
    private let command: WalletSweep
    private let wallet: WalletRecord
    private let output: Output

    init(_ command: WalletSweep, _ wallet: WalletRecord, _ output: Output) {
        self.command = command
        self.wallet = wallet
        self.output = output
    }

    func run(_ accounts: borrowing MnemonicAccounts) async throws(Failure) -> WalletSweep.Result {
        let ceiling = try Amount(command.fees.highestFee(in: .bitcoin), of: "--max-fee")
        let count = command.addresses.addresses
        let own = accounts.accounts
        let ownership = try attempt { () throws(WalletError) in try Ownership(of: own, scanning: count) }
        let chain = try await command.node.bitcoin(for: wallet)
        output.progress("asking the node for the coins")
        let (coins, rates, height) = try await found(WalletScripts(of: own, count: count).all, ownership, chain)
        guard !coins.isEmpty else {
            throw Failure(
                code: .refused, name: "nothing_found", message: "there is no coin at the first \(count) addresses",
                hint: "look at more with --addresses; addresses that begin with 1 or 3 are not looked at")
        }
        let address = try destination()
        let change = try attempt { () throws(WalletError) in
            DerivedKey.taproot(try own.taproot.key(at: AddressPath(.change, index: 0)))
        }
        let order = SpendOrder(
            paying: [.init(address, .everythingLeft)], from: coins, feeRate: rates.rate(command.fees.fee),
            feeCeiling: ceiling, change: change, blockHeight: height)
        let plan = try attempt { () throws(PlanRefusal) in
            try SpendPlan(order, for: ownership, seed: SystemRandom().publicBytes(count: 32))
        }
        let summary = SpendSummary(of: plan.psbt, for: ownership)
        guard summary.refusals.isEmpty else { throw CustodyError.refused(Intent(summary).refusals).failure }
        let remainder = try BitcoinRemainder(of: coins, spending: Set(plan.selection.coins.map(\.outPoint)))
        let scope =
            "account \(command.account ?? 0) of BIP-84 (SegWit) and of BIP-86 (taproot), the first \(count) addresses "
            + "of each, to receive and for change"
        let body = SpendView(summary, Intent(summary), wallet: nil).body(
            own: "the words", others: "the wallet '\(wallet.name)'")
        let lines = ["looked at: \(scope)"] + (remainder.text.map { [$0] } ?? [])
        func result(_ id: TransactionID?) -> WalletSweep.Result {
            WalletSweep.Result(
                id: id?.description, chain: "bitcoin:\(wallet.network.name)", amount: "\(summary.paid.satoshis)",
                to: address.description, highest_fee: "\(plan.fee.satoshis)", left: "\(remainder.total.satoshis)",
                stays: remainder.text, looked_at: scope)
        }
        guard try command.confirm(body + "\n\n" + lines.joined(separator: "\n"), Intent(summary), output)
        else { return result(nil) }
        let signed = try attempt { () throws(WalletError) in
            try accounts.sign(plan.psbt, as: ownership, random: SystemRandom()).finalised().transaction()
        }
        try await BitcoinDelivery(chain: chain, output: output, waits: false).send(signed) { _ in
            "run the same sweep again: it spends the same coins, so at most one is mined"
        }
        return result(signed.id)
    }

    private func found(
        _ scripts: [ScriptPubKey], _ ownership: Ownership, _ chain: any BitcoinChain
    ) async throws(Failure) -> ([Coin], FeeRateSuggestion, UInt32) {
        try await attempt { () async throws(NodeError) in
            var coins: [ChainCoin] = []
            for start in stride(from: 0, to: scripts.count, by: NodeLimits.scripts) {
                coins += try await chain.coins(of: Array(scripts[start...].prefix(NodeLimits.scripts)))
            }
            return (
                coins.compactMap { Coin($0, of: ownership) }.inOrder(), try await chain.feeRates(),
                try await chain.height()
            )
        }
    }

    /// The wallet's first taproot address.
    private func destination() throws(Failure) -> Address<Checked> {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        return try attempt { () throws(WalletError) in
            try accounts.taproot.address(at: AddressPath(.receive, index: 0))
        }
    }
}
