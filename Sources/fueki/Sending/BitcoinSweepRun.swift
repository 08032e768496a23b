internal import Amounts
internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Payments
internal import Terminal
internal import Wallet

/// Shows what moves from a mnemonic's accounts on Bitcoin to a wallet, asks, and has it moved.
struct BitcoinSweepRun {
    let command: WalletSweep
    let wallet: ProvenWallet
    let output: Output

    func run(_ accounts: borrowing MnemonicAccounts) async throws(Failure) -> WalletSweep.Result {
        let fee = try command.fees.onBitcoin(rate: nil)
        // Nobody has shown the addresses of the words here.
        let reach = command.addresses.reach(shown: ShownAddresses())
        let chain = try await command.node.bitcoin(for: wallet.record)
        let sweep: BitcoinSweep
        do throws(PaymentError) {
            sweep = try await BitcoinSweep(
                of: accounts.accounts, into: wallet, in: command.global.walletHome, reach: reach, fee: fee, at: chain,
                report: output.listener(for: wallet.record.name))
        } catch {
            var failure = error.failure
            if error == .sweep(.noCoins) { failure.message = "there is no coin at \(command.addresses.text)" }
            throw failure
        }
        let remainder = try BitcoinRemainder(of: sweep.plan.staying, sweep.unlisted)
        let scope =
            "account \(command.account ?? 0) of BIP-84 (SegWit) and of BIP-86 (taproot), \(command.addresses.text) "
            + "of each, to receive and for change"
        let far = ReceivingAddresses.isFar(sweep.index) ? ["warning: \(Self.farAddress(sweep.index))"] : []
        let lines = ["looked at: \(scope)"] + (remainder.text.map { [$0] } ?? []) + far
        let question = body(of: sweep) + "\n\n" + lines.joined(separator: "\n")
        let isMoved = try command.confirm(question, sweep.summaries.map { Intent($0) }, output)
        let sent = isMoved ? try await send(sweep, from: accounts) : []
        return WalletSweep.Result(
            id: sent.first, ids: sent.isEmpty ? nil : sent, chain: "bitcoin:\(wallet.record.network.name)",
            amount: "\(sweep.plan.paid.satoshis)", to: sweep.address.description,
            highest_fee: "\(sweep.plan.fee.satoshis)", left: "\(remainder.total.satoshis)", stays: remainder.text,
            looked_at: scope)
    }

    /// - Returns: the identifiers.
    private func send(
        _ sweep: BitcoinSweep, from accounts: borrowing MnemonicAccounts
    ) async throws(Failure) -> [String] {
        let count = sweep.plan.rounds.count
        var number = 0
        do throws(PaymentError) {
            return try await sweep.send(from: accounts) { id in
                number += 1
                if count > 1 { output.progress("transaction \(number) of \(count) is sent: \(id)") }
            }.map(\.description)
        } catch {
            var failure = error.failure
            if case .delivery(.notSent) = error.cause {
                failure.hint = "run the same sweep again: it spends the same coins, so at most one is mined"
            }
            throw failure
        }
    }

    /// The warning that only this machine looks at an address by itself.
    static func farAddress(_ index: UInt32) -> String {
        "address number \(index) lies behind the first \(PaymentLimits.commonAddresses), at which commands look: another "
            + "machine finds its coins only with --addresses \(index + 1)"
    }

    /// One transaction with all that is in it; of several, what each moves.
    private func body(of sweep: BitcoinSweep) -> String {
        let (plan, name) = (sweep.plan, wallet.record.name)
        if let only = sweep.summaries.first, sweep.summaries.count == 1 {
            return SpendView(only, Intent(only), wallet: nil).body(own: "the words", others: "the wallet '\(name)'")
        }
        func bitcoin(_ amount: Amount) -> String {
            "\(DecimalText.full(UInt256(amount.satoshis), .bitcoin)) BTC"
        }
        let rows = plan.rounds.enumerated().map { index, round in
            [
                "  transaction \(index + 1)", "\(round.selection.coins.count) coins",
                bitcoin(sweep.summaries[index].paid), "fee \(bitcoin(round.fee))",
            ]
        }
        let last = [["  together", "", bitcoin(plan.paid), "fee \(bitcoin(plan.fee))"]]
        return """
            The coins of the words are too many for one transaction. \(plan.rounds.count) of them pay the wallet \
            '\(name)', at \(sweep.address):

            \(Table(rows + last, alignedRight: [1, 2]).text)
            """
    }
}

extension PaymentError {
    /// What interrupted a sweep; else the error itself.
    fileprivate var cause: PaymentError {
        if case .sweep(.interrupted(_, let error)) = self { error } else { self }
    }
}
