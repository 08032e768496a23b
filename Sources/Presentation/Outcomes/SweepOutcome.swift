internal import Amounts
internal import Bitcoin
internal import Ethereum
internal import HDKeys
internal import Sweep
internal import Wallet

/// The result of a sweep, or of its rehearsal.
package struct SweepOutcome: Encodable {
    /// The identifier of the first transaction; null after a dry run.
    let id: String?
    /// The identifiers of all transactions, in the order of sending, on a chain where it may take several.
    var ids: [String]?
    let chain: String
    /// The amount in the smallest unit.
    let amount: String
    let to: String
    /// The highest fee, with the reserve for a fee that the chain charges beside gas.
    let highest_fee: String
    /// The amount that stays at the searched addresses, in the smallest unit; on Ethereum the most that stays.
    let left: String
    /// A sentence about the amount that stays; null if nothing does.
    let stays: String?
    let looked_at: String

    /// - Parameters:
    ///   - sent: the identifiers of the sent transactions; empty after a dry run.
    ///   - remainder: the coins that stay.
    ///   - scope: the searched addresses.
    init(_ sweep: BitcoinSweep, sent: [String], staying remainder: BitcoinRemainder, _ scope: String) {
        id = sent.first
        ids = sent.isEmpty ? nil : sent
        chain = "bitcoin:\(sweep.address.network.name)"
        amount = "\(sweep.plan.paid.satoshis)"
        to = sweep.address.description
        highest_fee = "\(sweep.plan.fee.satoshis)"
        left = "\(remainder.total.satoshis)"
        stays = remainder.text
        looked_at = scope
    }

    /// - Parameter id: the hash of the sent transaction; nil after a dry run.
    init(_ sweep: EthereumSweep, on chain: ChainID, sent id: String?) {
        self.id = id
        self.chain = Chain.ethereum(chain).description
        amount = sweep.value.value.description
        to = sweep.recipient.description
        highest_fee = sweep.highestFee.value.description
        left = sweep.left.value.description
        stays = sweep.remainder(on: chain)
        looked_at = sweep.scope
    }

    /// - Parameter source: the origin of the keys: `the words`.
    package func text(source: String) -> String {
        guard let id else { return "nothing is signed, and nothing is sent" }
        let ending =
            stays.map { "\($0). Keep \(source)" }
            ?? "Nothing stays there. Before you destroy \(source), look for other accounts, tokens and addresses first, "
            + "and wait until \((ids ?? []).count > 1 ? "the transactions are" : "the transaction is") mined"
        let sent = (ids ?? [id]).map { "transaction \($0) is sent, to \(to)" }
        return (sent + ["scanned: \(looked_at)", ending]).joined(separator: "\n")
    }
}
