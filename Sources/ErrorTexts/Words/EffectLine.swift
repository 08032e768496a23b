internal import Amounts
internal import Bitcoin
internal import DisplayText
internal import Ethereum
package import Wallet
package import WalletBooks

/// One effect in a few words.
package struct EffectLine {
    package let text: String

    package init(_ effect: Effect, on chain: Chain?, names: PartyNames, units: TokenUnits = .listed) {
        let number: UInt256? = if case .decrease(_, let less, _) = effect { less } else { effect.given }
        let amount = number.map { amount -> String in
            if let unit = units[effect.asset, on: chain] {
                return unit.source == .list ? " \(unit.text(amount))" : " \(unit.text(amount)) of \(unit.contract)"
            }
            guard let chain, effect.asset == .coin else {
                return " \(amount)" + (effect.asset?.contract.map { " of \($0)" } ?? "")
            }
            return chain.currency == .bitcoin
                ? " \(units.bitcoin.full(amount))" : " \(DecimalText.short(amount, .ether)) \(chain.unit)"
        }
        text =
            switch effect {
            case .nothing: "nothing to others"
            case .data(let script): "data \(script.data.map(\.description) ?? "")"
            case .increase: Self.line("allowance more by", amount, effect, names)
            case .decrease: Self.line("allowance less by", amount, effect, names)
            case .message(let text): "message \"\(text.beginning(Self.characters, lines: .one))\""
            case .file(_, let text): "file \"\(text.beginning(Self.characters, lines: .one))\""
            default: Self.line(effect.kind.rawValue, amount, effect, names)
            }
    }

    private static func line(_ words: String, _ amount: String?, _ effect: Effect, _ names: PartyNames) -> String {
        words + (amount ?? "") + (effect.party.map { " to \(names.text($0))" } ?? "")
    }

    private static let characters = 40
}

extension PartyNames {
    /// Returns the address, and the name after it.
    package func text(_ party: Party) -> String {
        if case .own(_, let path) = party { return "\(party) (far address \(path) of this wallet)" }
        return "\(party)" + (self[party].map { " (\($0))" } ?? "")
    }
}
