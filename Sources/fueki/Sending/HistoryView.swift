internal import Amounts
internal import Bitcoin
internal import Custody
internal import DisplayText
internal import Encoding
internal import Ethereum
internal import Foundation
internal import Terminal
internal import Wallet

/// What was signed, as it is shown.
struct HistoryView {
    struct Entry: Encodable {
        let time: String
        /// `bitcoin:mainnet` or `ethereum:1`; null for what is bound to no chain.
        let chain: String?
        /// `reserved`, `failed`, `signed`, `unanswered`, `sent`, `mined` or `replaced`.
        let state: String
        /// Of the block, if it is mined.
        let height: UInt64?
        /// The transaction's identifier or hash.
        let id: String?
        /// Of the transaction that took its place, or is about to.
        let replaced_by: String?
        let effects: [IntentView.Effect]
        /// In the smallest unit.
        let highest_fee: String?
        let digest: String
        /// The key of the order that it is an attempt at.
        let once: String?
    }

    let entries: [Entry]
    let text: String

    init(_ history: [HistoryEntry], contacts: [Contact]) {
        let names = PartyNames(contacts)
        let successors = history.map { $0.successor(in: history) }
        entries = zip(history, successors).map { entry, successor in
            Entry(
                time: Date(timeIntervalSince1970: TimeInterval(entry.time)).ISO8601Format(),
                chain: entry.chain?.description, state: entry.state.name, height: entry.state.height, id: entry.id,
                replaced_by: successor?.id,
                effects: entry.effects.map { IntentView.Effect($0, names: names) },
                highest_fee: entry.highestFee?.description,
                digest: Hex.encode(entry.digest), once: entry.order?.key?.text)
        }
        let rows = zip(zip(history, entries), successors).flatMap { both, successor in
            let (entry, view) = both
            let replacement = successor.flatMap { successor in
                successor.id.map { successor.isMined ? "\($0) is mined in its place" : "replaced by \($0)" }
            }
            let lines =
                entry.effects.map { EffectLine($0, on: entry.chain, names: names).text + entry.place }
                + [view.id, view.once.map { "once \($0)" }, replacement].compactMap(\.self)
            let isNew = successor != nil && entry.state != .replaced
            let state = view.state + (isNew ? ", replaced" : "") + (view.height.map { " \($0)" } ?? "")
            return [[view.time, state, lines.first ?? ""]] + lines.dropFirst().map { ["", "", $0] }
        }
        text = rows.isEmpty ? "nothing was signed on this machine" : Table(rows).text
    }
}

extension HistoryEntry {
    /// The chain as a person names it, behind an effect. Bitcoin's is the wallet's.
    fileprivate var place: String {
        guard case .ethereum(let id)? = chain else { return "" }
        return " on \(id.name ?? id.description)"
    }

    /// What took its place, or is about to: what a block has, or else what was signed later and is with a node.
    fileprivate func successor(in history: [HistoryEntry]) -> HistoryEntry? {
        guard awaitsBlock || state == .replaced else { return nil }
        return rival(in: history)
            ?? history.last {
                $0.state == .sent && $0.number > number && $0.id != nil && $0.conflicts(with: conflictSet)
            }
    }
}

extension HistoryEntry.State {
    var name: String {
        switch self {
        case .reserved: "reserved"
        case .failed: "failed"
        case .signed: "signed"
        case .unanswered: "unanswered"
        case .sent: "sent"
        case .mined, .settled: "mined"
        case .replaced: "replaced"
        }
    }
}

/// One effect in a few words.
struct EffectLine {
    let text: String

    init(_ effect: Effect, on chain: Chain?, names: PartyNames) {
        let number: UInt256? = if case .decrease(_, let less, _) = effect { less } else { effect.given }
        let amount = number.map { amount -> String in
            guard let chain, effect.asset == .coin else {
                return " \(amount)" + (effect.asset?.contract.map { " of \($0)" } ?? "")
            }
            let text =
                chain.currency == .bitcoin
                ? DecimalText.full(amount, .bitcoin) : DecimalText.short(amount, .ether)
            return " \(text) \(chain.unit)"
        }
        text =
            switch effect {
            case .nothing: "nothing to others"
            case .data(let script): "data \(script.data.map(\.description) ?? "")"
            case .increase: Self.line("allowance more by", amount, effect, names)
            case .decrease: Self.line("allowance less by", amount, effect, names)
            case .message(let text): "message \"\(text.beginning(Self.characters, lines: .one))\""
            default: Self.line(effect.kind.rawValue, amount, effect, names)
            }
    }

    private static func line(_ words: String, _ amount: String?, _ effect: Effect, _ names: PartyNames) -> String {
        words + (amount ?? "") + (effect.party.map { " to \(names.text($0))" } ?? "")
    }

    private static let characters = 40
}

extension ChainOption.Name {
    /// Whether a chain is the one that is meant.
    func holds(_ chain: Chain?, of wallet: WalletRecord) -> Bool {
        switch self {
        case .bitcoin: chain == .bitcoin(wallet.network)
        case .ethereum(let id): chain == .ethereum(id)
        }
    }
}
