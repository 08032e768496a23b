internal import Amounts
internal import Bitcoin
package import Custody
internal import ErrorTexts
package import Payments
internal import Texts
internal import Wallet

extension PaymentEvent {
    /// Returns the event for the person who waits.
    ///
    /// - Parameter columns: the width of the terminal, for rows of foreign text.
    package func telling(for wallet: WalletName, columns: Int) -> EventText {
        let text = text(for: wallet, columns: columns)
        return switch self {
        case .askingForCoins: .step(StepText(text, done: "asked the node for the wallet's coins"))
        case .handingOver(_, .bitcoin): .step(StepText(text, done: "handed it to the node"))
        case .handingOver(let id, .ethereum): .step(StepText(text, done: "sent \(id)"))
        case .waiting: .step(StepText(text, done: "waited for a block"))
        case .refreshing: .step(StepText(text, done: "asked the node what became of what was sent"))
        case .stillWaiting: .clock(text)
        default: .note(text)
        }
    }

    /// Returns a line for the person who waits.
    ///
    /// - Parameter columns: the width of the terminal, for rows of foreign text.
    func text(for wallet: WalletName, columns: Int) -> String {
        switch self {
        case .askingForCoins: "asking the node for the wallet's coins"
        case .coinsNotListed(let unlisted): "note: \(unlisted.text)"
        case .lastAddressesUsed:
            "note: addresses near the end of the scanned range were used; --addresses scans more"
        case .dustStays(let count): "\(count) coins stay: spending them would cost more than they are worth"
        case .largeOriginsStay(let coins): "note: \(Self.largeOrigins(coins))"
        case .consolidating(let count): "\(count) coins become one"
        case .takesHeldPayment: "this payment waits in the wallet's book: it is the one that is signed"
        case .madeBefore(let hasKey):
            "this payment was made before, and is not made a second time"
                + (hasKey ? "" : "; --again makes a further one")
        case .handingOver(_, .bitcoin): "handing it to the node"
        case .handingOver(let id, .ethereum): "sending \(id)"
        case .waiting(let id, .bitcoin): "waiting until \(id) is mined (you may stop waiting: it is sent)"
        case .waiting(_, .ethereum): "waiting for a block (you may stop waiting: it is sent)"
        case .stillWaiting(let seconds): "still waiting (\(seconds) s)"
        case .nodeAnswersAgain: "the node answers again; the transaction waits for a block"
        case .askingAgain(let error, .bitcoin): "asking again: \(error.failure.text(columns: columns))"
        case .askingAgain(let error, .ethereum): "\(error); asking again"
        case .following(let id): "\(id) has taken its place: waiting until that one is mined"
        case .foundMined(let id, let height): "transaction \(id), whose outcome was not known, is in block \(height)"
        case .foundReverted(let id, let height):
            "transaction \(id) is in block \(height), and failed: it paid nothing"
        case .foundWaiting(let id): "transaction \(id), whose outcome was not known, is at the node"
        case .foundRefused(let id): "transaction \(id), which a node refused, is at the node"
        case .handingOverForgotten(let id): "the node does not have transaction \(id): sends it again"
        case .handingOverUnsettled(let unsent):
            "transaction \(unsent.id) may not have been sent: sending it again. It does the following:"
                + unsent.lines
        case .handingOverUnsent(let unsent): unsent.subject
        case .handedOverEarlier: warning ?? ""
        case .notHandedOver(let error): "warning: \(error)"
        case .notTaken(let refusal): "the node does not take it: \(refusal)"
        case .takesNumberOfRefused(let nonce, let id):
            "nonce \(nonce) was that of transaction \(id), which a node refused: only one of the two can be mined"
        case .heldNumberIsBehind(let nonce, let next):
            "the waiting payment has nonce \(nonce), and is mined after nonce \(next)"
        case .heldNumberIsTaken(let nonce):
            "the waiting payment had nonce \(nonce), which is used now: it begins anew"
        case .refreshing: "asking the node what became of what was sent"
        case .sentUnnoted, .minedUnnoted: "warning: \(warning ?? "")"
        case .minedInstead: "note: \(warning ?? "")"
        }
    }

    /// The warning in the result of a payment; nil for an event that is shown only during the payment.
    var warning: String? {
        switch self {
        case .sentUnnoted(let error):
            "the transaction is sent, but the wallet's book does not know it: \(error.failure.message)"
        case .minedUnnoted(let error): "it is mined, but the wallet's book could not be told: \(error.failure.message)"
        case .minedInstead(let id, let awaited): "\(id) was mined in place of \(awaited), and pays the same"
        case .handedOverEarlier(let id): "transaction \(id), which was signed before, was handed to the node"
        default: nil
        }
    }

    private static func largeOrigins(_ coins: [OutPoint]) -> String {
        let (subject, verb) = coins.count == 1 ? ("1 coin", "is") : ("\(coins.count) coins", "are")
        return
            "\(subject) \(verb) not spent, because the transactions that made them are too large to be shown to a "
            + "participant with the others: " + coins.map(\.description).joined(separator: ", ")
    }
}

extension UnlistedCoins {
    /// The text about coins that were not examined; empty if every coin was.
    var text: String {
        var sentences: [String] = []
        if count > 0 {
            let worth = DecimalText.short(UInt256(worth.satoshis), .bitcoin)
            sentences.append(
                "the \(lookedAt) most valuable coins are considered; \(count) smaller ones, worth \(worth) BTC "
                    + "together, are not")
        }
        if !crowded.isEmpty {
            sentences.append(
                "these addresses have more coins than can be listed, so that some are not found: "
                    + crowded.map(\.description).joined(separator: ", "))
        }
        return sentences.joined(separator: "; ")
    }
}
