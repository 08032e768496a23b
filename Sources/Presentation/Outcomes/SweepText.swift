internal import Amounts
internal import Bitcoin
package import Custody
internal import ErrorTexts
package import Ethereum
package import Payments
package import Sweep
package import Texts
internal import Wallet

extension BitcoinSweep {
    /// One transaction with all details, or the amounts of each of several.
    ///
    /// - Parameters:
    ///   - name: the name of the receiving wallet.
    ///   - columns: the width of the terminal, for rows of foreign text.
    ///   - unit: the unit of amounts.
    fileprivate func text(into name: WalletName, columns: Int, unit: BitcoinUnit) -> String {
        if let only = summaries.first, summaries.count == 1 {
            return SpendView(only, Intent(only), wallet: nil).body(
                own: "the words", others: "the wallet '\(name)'", columns: columns, unit: unit)
        }
        func bitcoin(_ amount: Amount) -> String { unit.full(UInt256(amount.satoshis)) }
        let rows = plan.rounds.enumerated().map { index, round in
            [
                "  transaction \(index + 1)", "\(round.selection.coins.count) coins",
                bitcoin(summaries[index].paid), "fee \(bitcoin(round.fee))",
            ]
        }
        let last = [["  together", "", bitcoin(plan.paid), "fee \(bitcoin(plan.fee))"]]
        return """
            The coins of the words are too many for one transaction. \(plan.rounds.count) of them pay the wallet \
            '\(name)', at \(address):

            \(Table(rows + last, alignedRight: [1, 2]).text)
            """
    }
}

extension EthereumSweep {
    /// The searched account.
    package var scope: String { "what \(sender) has of the chain's coin, not its tokens" }

    /// A sentence about the part that stays; nil if nothing does.
    package func remainder(on chain: ChainID) -> String? {
        left == .zero ? nil : "what of the fee is not needed, at most \(left.text(on: chain)), stays"
    }

    /// The subject of the question, without findings.
    ///
    /// - Parameter name: the name of the receiving wallet.
    fileprivate func text(into name: WalletName, on chain: ChainID) -> String {
        let table = Table([
            ["from", sender.description], ["to", recipient.description, "the wallet '\(name)'"],
            ["pays", value.text(on: chain)], ["fee", "at most \(highestFee.text(on: chain))"],
            ["chain", Chain.ethereum(chain).name],
        ])
        let lines = ["scanned: \(scope)", remainder(on: chain), note(on: further, chain)].compactMap(\.self)
        return table.text + "\n\n" + lines.joined(separator: "\n")
    }

    /// A sentence about fees that "at most" does not include.
    private func note(on further: FurtherFee, _ chain: ChainID) -> String? {
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

/// A sweep as it is shown: before a person confirms it, and afterwards.
package struct SweepView {
    private let review: String
    private let costs: [Finding]
    private let result: ([String]) -> SweepOutcome

    /// The subject of the question, with a warning for each costly finding.
    package var subject: String { ([review] + costs.map { "warning: \($0.text)" }).joined(separator: "\n") }

    /// The result.
    ///
    /// - Parameter ids: the identifiers of the sent transactions; empty after a rehearsal.
    package func outcome(sent ids: [String]) -> SweepOutcome { result(ids) }

    /// - Parameters:
    ///   - name: the name of the receiving wallet.
    ///   - account: the number of the searched account of the words.
    ///   - reach: the searched addresses.
    ///   - now: the time in seconds since 1970.
    ///   - columns: the width of the terminal, for rows of foreign text.
    ///   - unit: the unit of amounts.
    package init(
        _ sweep: BitcoinSweep, into name: WalletName, account: UInt32, _ reach: AddressReach, now: UInt64, columns: Int,
        unit: BitcoinUnit
    ) throws(Failure) {
        let remainder = try BitcoinRemainder(of: sweep.plan.staying, sweep.unlisted, unit: unit)
        let scope =
            "account \(account) of BIP-84 (SegWit) and of BIP-86 (taproot), \(reach.text) of each, to receive and for "
            + "change"
        let far = ReceivingAddresses.isFar(sweep.index) ? ["warning: \(FarAddress.warning(sweep.index))"] : []
        let lines = ["scanned: \(scope)"] + (remainder.text.map { [$0] } ?? []) + far
        review = sweep.text(into: name, columns: columns, unit: unit) + "\n\n" + lines.joined(separator: "\n")
        costs = sweep.costs(now: now)
        result = { SweepOutcome(sweep, sent: $0, staying: remainder, scope) }
    }

    /// - Parameters:
    ///   - name: the name of the receiving wallet.
    ///   - now: the time in seconds since 1970.
    package init(_ sweep: EthereumSweep, into name: WalletName, on chain: ChainID, now: UInt64) {
        review = sweep.text(into: name, on: chain)
        costs = sweep.costs(now: now)
        result = { SweepOutcome(sweep, on: chain, sent: $0.first) }
    }
}

extension AddressReach {
    /// `the first 200 addresses`.
    fileprivate var text: String {
        ranges.reduce("the first \(least) addresses") { named, range in
            "\(named) and those from \(range.lowerBound) to \(range.upperBound)"
        }
    }
}

extension PaymentError {
    /// The failure of a Bitcoin sweep.
    ///
    /// - Parameters:
    ///   - reach: the searched addresses.
    ///   - unit: the unit of amounts.
    package func failure(ofSweep reach: AddressReach, in unit: BitcoinUnit) -> Failure {
        let failure = failure(in: unit)
        return switch self {
        case .sweep(.noCoins): failure.reworded { _ in "there is no coin at the searched addresses: \(reach.text)" }
        case .delivery(.notSent), .sweep(.interrupted(_, .delivery(.notSent))):
            failure.advising("run the same sweep again: it spends the same coins, so at most one is mined")
        default: failure
        }
    }

    /// The failure of an Ethereum sweep.
    package var failureOfEthereumSweep: Failure {
        guard case .delivery(.notSent(_, _, let cause, _)) = self else { return failure }
        return Failure(
            code: cause.failure.code, name: cause.failure.name, message: failure.message,
            hint: "run the same sweep again: it has the same number (nonce), so at most one is mined",
            quoted: failure.quoted)
    }
}
