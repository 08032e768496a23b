internal import Amounts
internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Nodes
internal import Secrets
internal import Wallet

/// Moves all coins of a mnemonic's accounts on Bitcoin to a wallet of shares.
struct BitcoinSweep {
    private let command: WalletSweep
    private let wallet: WalletRecord
    private var home: WalletHome { command.global.walletHome }
    private let output: Output

    /// - Parameter wallet: whose description is what was sealed: its address is paid.
    init(_ command: WalletSweep, _ wallet: ProvenWallet, _ output: Output) {
        self.command = command
        self.wallet = wallet.record
        self.output = output
    }

    func run(_ accounts: borrowing MnemonicAccounts) async throws(Failure) -> WalletSweep.Result {
        let ceiling = try Amount(command.fees.highestFeeOnBitcoin(), of: "--max-fee")
        // Nobody has shown the addresses of the words here.
        let reach = command.addresses.reach(shown: ShownAddresses())
        let own = accounts.accounts
        let scripts = try WalletScripts(of: own, reach)
        let ownership = scripts.ownership
        let receiving = try ReceivingAddresses(.taproot, of: wallet, in: home)
        let chain = try await command.node.bitcoin(for: wallet)
        output.progress("asking the node for the coins")
        let (found, rates, height) = try await attempt { () async throws(NodeError) in
            (
                try await chain.coins(of: scripts.all + receiving.scripts(for: chain)), try await chain.feeRates(),
                try await chain.height()
            )
        }
        let coins = found.coins.compactMap { Coin($0, of: ownership) }.inOrder()
        let unseen = UnseenCoins(found, on: wallet.network)
        guard !coins.isEmpty else {
            throw Failure(
                code: .refused, name: "nothing_found", message: "there is no coin at \(reach.text)",
                hint: "look at more with --addresses; addresses that begin with 1 or 3 are not looked at")
        }
        let index = try await receiving.unused(by: chain, found).index
        let paid = try attempt { () throws(CustodyError) in try wallet.accounts }
        let address = try attempt { () throws(HDKeyError) in
            try paid.taproot.address(at: AddressPath(.receive, index: index))
        }
        let change = try attempt { () throws(HDKeyError) in
            DerivedKey.taproot(try own.taproot.key(at: AddressPath(.change, index: 0)))
        }
        let plan = try attempt { () throws(PlanRefusal) in
            try SweepPlan(
                paying: address, from: coins, feeRate: rates.rate(command.fees.fee), feeCeiling: ceiling,
                change: change, blockHeight: height, for: ownership, seed: SystemRandom().publicBytes(count: 32))
        }
        let summaries = plan.rounds.map { SpendSummary(of: $0.psbt, for: ownership) }
        for summary in summaries where !summary.refusals.isEmpty {
            throw CustodyError.refused(Intent(summary).refusals).failure
        }
        let remainder = try BitcoinRemainder(of: plan.staying, unseen)
        let scope =
            "account \(command.account ?? 0) of BIP-84 (SegWit) and of BIP-86 (taproot), \(reach.text) "
            + "of each, to receive and for change"
        let far = ReceivingAddresses.warning(of: index).map { ["warning: \($0)"] } ?? []
        let lines = ["looked at: \(scope)"] + (remainder.text.map { [$0] } ?? []) + far
        func result(_ sent: [TransactionID]) -> WalletSweep.Result {
            let ids = sent.map(\.description)
            return WalletSweep.Result(
                id: ids.first, ids: ids.isEmpty ? nil : ids, chain: "bitcoin:\(wallet.network.name)",
                amount: "\(plan.paid.satoshis)", to: address.description, highest_fee: "\(plan.fee.satoshis)",
                left: "\(remainder.total.satoshis)", stays: remainder.text, looked_at: scope)
        }
        let question = body(of: plan, summaries, to: address) + "\n\n" + lines.joined(separator: "\n")
        guard try command.confirm(question, summaries.map { Intent($0) }, output) else { return result([]) }
        // From now on it is another's turn to be given out.
        _ = try await attempt { () async throws(CustodyError) in
            try await home.noteShown(index, in: receiving.row, of: wallet)
        }
        return result(try await send(plan, of: accounts, ownership, to: chain))
    }

    /// Signs and sends one transaction after the other. Whatever interrupts it, the same command goes on with the coins that are
    /// not spent.
    private func send(
        _ plan: SweepPlan, of accounts: borrowing MnemonicAccounts, _ ownership: Ownership, to chain: any BitcoinChain
    ) async throws(Failure) -> [TransactionID] {
        let delivery = BitcoinDelivery(chain: chain, output: output, waits: false)
        var sent: [TransactionID] = []
        for round in plan.rounds {
            do throws(Failure) {
                let signed = try attempt { () throws(BitcoinError) in
                    try accounts.sign(round.psbt, as: ownership, random: SystemRandom()).finalised().transaction()
                }
                try await delivery.send(signed) { _ in
                    "run the same sweep again: it spends the same coins, so at most one is mined"
                }
                sent.append(signed.id)
                if plan.rounds.count > 1 {
                    output.progress("transaction \(sent.count) of \(plan.rounds.count) is sent: \(signed.id)")
                }
            } catch {
                guard !sent.isEmpty else { throw error }
                var failure = error
                failure.message += "; sent before it: " + sent.map(\.description).joined(separator: ", ")
                throw failure
            }
        }
        return sent
    }

    /// One transaction with all that is in it; of several, what each moves.
    private func body(of plan: SweepPlan, _ summaries: [SpendSummary], to address: Address<Checked>) -> String {
        if let only = summaries.first, summaries.count == 1 {
            return SpendView(only, Intent(only), wallet: nil).body(
                own: "the words", others: "the wallet '\(wallet.name)'")
        }
        func bitcoin(_ amount: Amount) -> String {
            "\(DecimalText.full(UInt256(amount.satoshis), .bitcoin)) BTC"
        }
        let rows = plan.rounds.enumerated().map { index, round in
            [
                "  transaction \(index + 1)", "\(round.selection.coins.count) coins",
                bitcoin(summaries[index].paid), "fee \(bitcoin(round.fee))",
            ]
        }
        let last = [["  together", "", bitcoin(plan.paid), "fee \(bitcoin(plan.fee))"]]
        return """
            The coins of the words are too many for one transaction. \(plan.rounds.count) of them pay the wallet \
            '\(wallet.name)', at \(address):

            \(Table(rows + last, alignedRight: [1, 2]).text)
            """
    }
}
