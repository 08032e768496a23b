internal import Encoding
internal import Wallet

/// The effects of an intent as a person reads them: who gets what.
struct IntentText {
    private let intent: Intent

    init(_ intent: Intent) { self.intent = intent }

    /// A line for each effect, and the highest fee.
    var body: String {
        var rows = intent.effects.map { row($0) }
        if let fee = intent.highestFee { rows.append(["  fee", "at most \(coins(fee))"]) }
        let texts = intent.effects.compactMap { effect -> String? in
            guard case .message(let text) = effect else { return nil }
            return Wrapped.text(text.text, prefix: "  | ")
        }
        return ([Table(rows).text] + texts).joined(separator: "\n")
    }

    private func row(_ effect: Effect) -> [String] {
        switch effect {
        case .payment(let asset, let amount, let party): ["  pays", quantity(amount, of: asset), "to \(party)"]
        case .transfer(let asset, let amount, let owner, let party):
            ["  moves", quantity(amount, of: asset), "of \(owner) to \(party)"]
        case .allowance(let asset, let amount, let party):
            ["  lets take", amount.map { quantity($0, of: asset) } ?? "all \(name(asset))", "to \(party), at any time"]
        case .control(let collection, let party, let isGiven):
            isGiven
                ? ["  hands over", "everything of the collection \(collection)", "to \(party)"]
                : ["  takes back", "the collection \(collection)", "from \(party)"]
        case .call(let contract, let selector):
            ["  calls", "what nobody here can read (0x\(Hex.encode(selector)))", "of \(contract)"]
        case .nothing: ["  pays", "nothing to others"]
        case .deployment: ["  makes", "a contract"]
        case .delegation(let contract):
            contract.map { ["  obeys", "the code of the contract \($0) from now on"] }
                ?? ["  obeys", "no contract any more"]
        case .message: ["  signs", "this message:"]
        case .statement(let type, let contract):
            ["  signs", "data of the type '\(type.text)'", contract.map { "for the contract \($0)" } ?? ""]
        }
    }

    private func quantity(_ amount: UInt256, of asset: Asset) -> String {
        switch asset {
        case .coin: coins(amount)
        case .token: "\(amount) of the smallest unit of \(name(asset))"
        case .tokenOrItem: "\(amount) of, or the thing with this number of, \(name(asset))"
        case .item: "\(amount) of \(name(asset))"
        }
    }

    private func name(_ asset: Asset) -> String {
        switch asset {
        case .coin: intent.chain?.currency.symbol ?? "coins"
        case .token(let contract): "tokens of \(contract)"
        case .tokenOrItem(let contract): "tokens or things of \(contract)"
        case .item(let contract, let id): "the thing \(id) of \(contract)"
        }
    }

    /// Of what is bound to no chain, in the smallest unit.
    private func coins(_ amount: UInt256) -> String {
        guard let currency = intent.chain?.currency else { return "\(amount)" }
        return switch currency {
        case .bitcoin: "\(DecimalText.full(amount, currency.decimals)) BTC"
        case .ether: "\(DecimalText.short(amount, currency.decimals)) ETH"
        }
    }
}
