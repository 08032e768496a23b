package import Payments
internal import Wallet
internal import WalletBooks

extension UnsentTransaction {
    /// One text for each effect.
    package var effects: [String] {
        let names = PartyNames(contacts)
        return intent.effects.map { EffectLine($0, on: intent.chain, names: names).text }
    }

    /// One line for each effect.
    package var lines: String { effects.map { "\n  " + $0 }.joined() }

    /// The subject of the question.
    package var subject: String {
        "Transaction \(id) was signed before, and never sent. It has nonce \(nonce) of this account, and what is "
            + "ordered now comes behind it. It does this:" + lines
    }
}
