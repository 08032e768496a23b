internal import Amounts
internal import Bitcoin
internal import DisplayText
internal import Encoding
internal import Wallet

/// The effects of an intent as a person reads them: who gets what.
struct IntentText {
    private let intent: Intent
    private let terms: AllowanceTerms
    private let names: PartyNames

    init(_ intent: Intent, terms: AllowanceTerms, names: PartyNames) {
        self.intent = intent
        self.terms = terms
        self.names = names
    }

    /// A line or two for each effect, and the highest fee.
    var body: String {
        var allowances = 0
        var rows: [[String]] = []
        for effect in intent.effects {
            rows += self.rows(effect, lasting: terms[allowances])
            if effect.kind == .allowance { allowances += 1 }
        }
        if let fee = intent.highestFee { rows.append(["  fee", "at most \(coins(fee))"]) }
        let texts = intent.effects.compactMap { effect -> String? in
            switch effect {
            case .message(let text): return TextBlock(text, columns: TerminalWidth.columns).text
            case .data(let script): return script.data.map { TextBlock($0.shown, columns: TerminalWidth.columns).text }
            default: return nil
            }
        }
        return ([Table(rows).text] + texts).joined(separator: "\n")
    }

    private func rows(_ effect: Effect, lasting term: String) -> [[String]] {
        switch effect {
        case .payment(let asset, let amount, let party): given("pays", quantity(amount, of: asset), asset, party)
        case .transfer(let asset, let amount, let owner, let party):
            [["  moves", quantity(amount, of: asset), "of \(owner)"], ["", "to \(names.text(party))"]]
        case .allowance(let asset, let amount, let party):
            given("lets take", amount.map { quantity($0, of: asset) } ?? "all \(name(asset))", asset, party)
                + [["  when", term]]
        case .increase(let asset, let more, let party):
            given("lets take", "\(quantity(more, of: asset)) more than before", asset, party)
                + [["  in all", "unknown: the bytes do not tell what was allowed before"], ["  when", term]]
        case .decrease(let asset, let less, let party):
            [
                ["  takes back", "\(quantity(less, of: asset)) of an allowance"], ["", "of \(names.text(party))"],
                ["  in all", "unknown: the bytes do not tell what stays allowed"],
            ]
        case .control(let collection, let party, let isGiven):
            isGiven
                ? [["  hands over", "everything of the collection \(collection)"], ["", "to \(names.text(party))"]]
                : [["  takes back", "the collection \(collection)"], ["", "from \(names.text(party))"]]
        case .call(let contract, let selector):
            [["  calls", "what nobody here can read (0x\(Hex.encode(selector)))", "of \(contract)"]]
        case .nothing: [["  pays", "nothing to others"]]
        case .data(let script): [["  writes", "\(script.data.map(\.size) ?? "no bytes") into the chain:"]]
        case .deployment: [["  makes", "a contract"]]
        case .delegation(let contract):
            contract.map { [["  obeys", "the code of the contract \($0) from now on"]] }
                ?? [["  obeys", "no contract any more"]]
        case .message: [["  signs", "this message:"]]
        case .statement(let type, let contract):
            [["  signs", "data of the type '\(type.text)'", contract.map { "for the contract \($0)" } ?? ""]]
        }
    }

    /// In one line for coins; a contract's address takes another.
    private func given(_ verb: String, _ quantity: String, _ asset: Asset, _ party: Party) -> [[String]] {
        let receiver = "to \(names.text(party))"
        return asset == .coin ? [["  \(verb)", quantity, receiver]] : [["  \(verb)", quantity], ["", receiver]]
    }

    private func quantity(_ amount: UInt256, of asset: Asset) -> String {
        switch asset {
        case .coin: coins(amount)
        case .token: "\(amount) of the smallest unit of \(name(asset))"
        case .tokenOrItem: "\(amount) of the smallest unit, or the thing number \(amount), of \(name(asset))"
        case .item: "\(amount) of \(name(asset))"
        }
    }

    private func name(_ asset: Asset) -> String {
        switch asset {
        case .coin: intent.chain?.unit ?? "coins"
        case .token(let contract): "tokens of \(contract)"
        case .tokenOrItem(let contract): "tokens or things of \(contract)"
        case .item(let contract, let id): "the thing \(id) of \(contract)"
        }
    }

    /// Of what is bound to no chain, in the smallest unit.
    private func coins(_ amount: UInt256) -> String {
        guard let chain = intent.chain else { return "\(amount)" }
        return switch chain.currency {
        case .bitcoin: "\(DecimalText.full(amount, .bitcoin)) \(chain.unit)"
        case .ether: "\(DecimalText.short(amount, .ether)) \(chain.unit)"
        }
    }
}
