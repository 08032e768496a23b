/// The outputs to the recipients of an order, checked.
struct Payments {
    /// The outputs with fixed amounts, in their order.
    private(set) var fixed: [TransactionOutput] = []
    /// The recipient of the remaining amount: the script, and its position among the outputs.
    private(set) var rest: (script: ScriptPubKey, index: Int)?

    /// - Throws: the error of a recipient.
    init(_ order: SpendOrder, _ ownership: Ownership) throws(PlanRefusal) {
        guard !order.recipients.isEmpty else { throw .noRecipients }
        for (index, recipient) in order.recipients.enumerated() {
            let script = recipient.address.scriptPubKey
            guard !script.isUnspendable else { throw .unspendable(recipient: index) }
            guard order.mayPayOwnAddresses || !Self.isOwn(script, order, ownership) else {
                throw .ownAddress(recipient: index)
            }
            switch recipient.share {
            case .exactly(let amount):
                guard amount >= script.dustLimit else { throw .dust(recipient: index, least: script.dustLimit) }
                fixed.append(TransactionOutput(amount: amount, scriptPubKey: script))
            case .everythingLeft:
                guard rest == nil else { throw .severalTakeTheRest }
                rest = (script, index)
            }
        }
        guard (try? Amount.sum(fixed.map(\.amount))) != nil else { throw .impossibleAmount }
    }

    /// Returns whether a script is the wallet's own, also beyond the scanned addresses: a coin or the change may be
    /// there.
    private static func isOwn(_ script: ScriptPubKey, _ order: SpendOrder, _ ownership: Ownership) -> Bool {
        ownership.key(for: script) != nil || script == order.change.scriptPubKey
            || order.coins.contains { $0.key.scriptPubKey == script }
    }
}
