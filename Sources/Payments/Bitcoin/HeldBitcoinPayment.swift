internal import Amounts
internal import Bitcoin
internal import Wallet

/// An earlier ordered Bitcoin payment that is a proposal in the wallet's book, and waits for its delay or an approval.
///
/// The same order means this payment: another transaction would wait from the beginning, and would need its own
/// approvals.
struct HeldBitcoinPayment {
    let psbt: PSBT
    let fee: Amount
    /// The size in virtual bytes.
    let size: Int
    /// Whether it also pays to the wallet.
    private let hasChange: Bool

    /// Returns the proposals for this order whose coins all still exist, oldest first.
    static func all(
        for order: BitcoinOrder, among proposals: [PendingProposal], of spendable: SpendableCoins
    ) -> [HeldBitcoinPayment] {
        let unspent = Set(spendable.coins.map(\.outPoint))
        return proposals.compactMap { proposal in
            guard case .bitcoinTransaction(let psbt) = proposal.payload else { return nil }
            let summary = SpendSummary(of: psbt, for: spendable.ownership)
            guard let fee = summary.fee, summary.virtualSize > 0,
                order.isDone(by: Intent(summary).effects, isOrdered: proposal.order == order.identity),
                unspent.isSuperset(of: summary.inputs.map(\.outPoint))
            else { return nil }
            return HeldBitcoinPayment(
                psbt: psbt, fee: fee, size: summary.virtualSize,
                hasChange: summary.outputs.contains(where: \.isReturned))
        }
    }

    /// Returns whether it fits the fee's terms. A named feerate is compared with the one of the plan: the fee follows
    /// from it and from the size, and without change, an amount below the value of an output is left to the miner as
    /// well.
    func suits(_ terms: BitcoinFee, isSweep: Bool) -> Bool {
        guard fee <= terms.ceiling else { return false }
        guard let rate = terms.rate else { return true }
        guard let least = try? rate.fee(virtualSize: size), fee >= least else { return false }
        let excess = fee.satoshis - least.satoshis
        guard !hasChange, !isSweep else { return excess == 0 }
        let output = (try? rate.fee(virtualSize: PaymentLimits.changeSize))?.satoshis ?? 0
        return excess <= output + PaymentLimits.leastChange
    }
}

extension BitcoinOrder {
    /// Returns whether these effects are those of the order.
    ///
    /// - Parameter isOrdered: whether they were planned for this very order: only the plan knows the rest that a payee
    ///   gets.
    func isDone(by effects: [Effect], isOrdered: Bool) -> Bool {
        if let ordered = self.effects { return effects.areTheSame(as: ordered) }
        guard isOrdered, effects.count == recipients.count else { return false }
        return recipients.allSatisfy { recipient in
            effects.contains { effect in
                guard case .payment(.coin, let amount, let party) = effect, party == .bitcoin(recipient.address) else {
                    return false
                }
                return switch recipient.share {
                case .exactly(let ordered): amount == UInt256(ordered.satoshis)
                case .everythingLeft: true
                }
            }
        }
    }
}
