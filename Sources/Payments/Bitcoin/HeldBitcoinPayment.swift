internal import Bitcoin
internal import Custody
internal import Wallet

/// A payment on Bitcoin that was ordered before and waits in the wallet's book, for its time or for somebody's approval.
///
/// Ordered again it is the same one: another transaction would wait from the beginning, and would want approvals of its own.
struct HeldBitcoinPayment {
    let psbt: PSBT
    let fee: Amount
    /// In virtual bytes.
    let size: Int

    /// A payment of exactly this of which all coins are still there.
    static func found(
        doing effects: [Effect], among proposals: [PendingProposal], of spendable: SpendableCoins
    ) -> HeldBitcoinPayment? {
        let unspent = Set(spendable.coins.map(\.outPoint))
        for proposal in proposals {
            guard case .bitcoinTransaction(let psbt) = proposal.payload else { continue }
            let summary = SpendSummary(of: psbt, for: spendable.ownership)
            guard let fee = summary.fee, Intent(summary).effects.areTheSame(as: effects),
                unspent.isSuperset(of: summary.inputs.map(\.outPoint))
            else { continue }
            return HeldBitcoinPayment(psbt: psbt, fee: fee, size: summary.virtualSize)
        }
        return nil
    }
}
