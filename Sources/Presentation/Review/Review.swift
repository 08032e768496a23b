internal import Amounts
internal import Bitcoin
internal import DisplayText
internal import Encoding
internal import ErrorTexts
internal import Ethereum
internal import Texts
internal import Wallet
internal import WalletBooks

/// The review that a person reads before signing: a headline, then the payees, the costs, and last the change.
package struct Review {
    private let intent: Intent
    /// The summary of a Bitcoin transaction.
    private let spend: SpendSummary?
    private let terms: AllowanceTerms
    private let names: PartyNames
    private let units: TokenUnits
    private let columns: Int

    /// - Parameter columns: the width of the terminal.
    init(
        _ intent: Intent, spend: SpendSummary?, terms: AllowanceTerms, names: PartyNames, units: TokenUnits = .listed,
        columns: Int
    ) {
        self.units = units
        self.columns = columns
        self.intent = intent
        self.spend = spend
        self.terms = terms
        self.names = names
    }

    /// The first line: `Pay 0.2 BTC to alice, fee 154 sat (1.0 sat/vB)`.
    var headline: String { [deed, fee.map { "fee \($0.short)" }].compactMap(\.self).joined(separator: ", ") }

    /// All rows, payees first.
    var rows: [LabelledRows.Row] {
        var rows: [LabelledRows.Row] = []
        var allowances = 0
        for effect in intent.effects {
            rows += self.rows(effect, lasting: terms[allowances])
            if effect.kind == .allowance { allowances += 1 }
        }
        if let fee { rows.append(.init("fee", [fee.full])) }
        if let spend { rows += flows(of: spend) }
        return rows
    }

    /// Returns the text that is signed, or written into the chain.
    ///
    /// - Parameter columns: the width of the terminal; no row is longer.
    func contents(columns: Int) -> [String] {
        intent.effects.flatMap { effect -> [String] in
            switch effect {
            case .message(let text), .file(_, let text): TextBlock(text, columns: columns).rows
            case .data(let script): script.data.map { TextBlock($0.shown, columns: columns).rows } ?? []
            default: []
            }
        }
    }

    // MARK: The first line

    private var deed: String {
        let payments = intent.effects.compactMap { effect -> (Asset, UInt256, Party)? in
            if case .payment(let asset, let amount, let party) = effect { (asset, amount, party) } else { nil }
        }
        if payments.count == intent.effects.count, let first = payments.first, payments.allSatisfy({ $0.0 == first.0 })
        {
            guard payments.count > 1 else { return "Pay \(brief(first.1, of: first.0)) to \(short(first.2))" }
            let total = payments.dropFirst().reduce(first.1 as UInt256?) { sum, payment in
                sum.flatMap { try? $0.adding(payment.1) }
            }
            return "Pay \(total.map { "\(brief($0, of: first.0)) to " } ?? "")\(payments.count) payees"
        }
        let deeds = intent.effects.map(deed)
        guard let first = deeds.first, deeds.count > 1 else { return deeds.first ?? "Do nothing" }
        let rest =
            deeds.count == 2 ? deeds[1].prefix(1).lowercased() + deeds[1].dropFirst() : "\(deeds.count - 1) things more"
        return "\(first), and \(rest)"
    }

    private func deed(_ effect: Effect) -> String {
        switch effect {
        case .payment(let asset, let amount, let party): "Pay \(brief(amount, of: asset)) to \(short(party))"
        case .transfer(let asset, let amount, _, let party):
            "Move \(brief(amount, of: asset)) of another owner to \(short(party))"
        case .allowance(let asset, let amount, let party):
            "Let \(short(party)) take \(amount.map { brief($0, of: asset) } ?? "everything of \(contract(of: asset))")"
        case .increase(let asset, let more, let party): "Let \(short(party)) take \(brief(more, of: asset)) more"
        case .decrease(let asset, let less, let party): "Let \(short(party)) take \(brief(less, of: asset)) less"
        case .control(_, let party, let isGiven):
            isGiven ? "Hand a whole collection over to \(short(party))" : "Take a collection back from \(short(party))"
        case .call: "Call a contract with data that cannot be decoded"
        case .nothing: "Pay nothing to others"
        case .data(let script): "Write \(script.data.map(\.size) ?? "no bytes") into the chain"
        case .deployment: "Make a contract"
        case .delegation(let contract):
            contract == nil ? "Free the account from a contract's code" : "Put the account under a contract's code"
        case .message: "Sign a message"
        case .file: "Sign a file"
        case .statement(let type, _): "Sign data of the type '\(type.text)'"
        }
    }

    private var fee: (short: String, full: String)? {
        if let spend {
            guard let fee = spend.fee else { return ("unknown", "unknown") }
            let rate = spend.feeRate.map { " (\(Self.rate($0)) sat/vB)" } ?? ""
            return ("\(fee.satoshis) sat\(rate)", "\(bitcoin(fee))\(rate)")
        }
        return intent.highestFee.map { ("at most \(coins($0))", "at most \(coins($0))") }
    }

    /// Returns the rate with one decimal; a rate below that with all its decimals.
    private static func rate(_ rate: FeeRate) -> String {
        let tenths = (rate.satoshisPerKilobyte + 50) / 100
        guard tenths > 0 else { return "\(Double(rate.satoshisPerKilobyte) / 1_000)" }
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns a name, or enough of an address to identify it among those below.
    private func short(_ party: Party) -> String { names[party] ?? Self.short("\(party)") }

    private static func short(_ address: String) -> String {
        address.count > 20 ? "\(address.prefix(10))…\(address.suffix(6))" : address
    }

    // MARK: Payees

    private func rows(_ effect: Effect, lasting term: String) -> [LabelledRows.Row] {
        switch effect {
        case .payment(let asset, let amount, let party):
            [.init("to", grouped(party) + [quantity(amount, of: asset)], .strong)] + token(asset)
        case .transfer(let asset, let amount, let owner, let party):
            [
                .init("to", grouped(party) + [quantity(amount, of: asset)], .strong),
                .init("from", grouped(owner)),
            ] + token(asset)
        case .allowance(let asset, let amount, let party):
            allowance(amount.map { quantity($0, of: asset) } ?? "all \(name(asset))", party, term)
                + (amount == nil ? [] : token(asset))
        case .increase(let asset, let more, let party):
            allowance("\(quantity(more, of: asset)) more than before", party, term)
                + [.init("in all", ["unknown: the bytes do not tell what was allowed before"])] + token(asset)
        case .decrease(let asset, let less, let party):
            [
                .init("for", grouped(party), .strong),
                .init("less", ["\(quantity(less, of: asset)) of an allowance are taken back"]),
                .init("in all", ["unknown: the bytes do not tell what stays allowed"]),
            ] + token(asset)
        case .control(let collection, let party, let isGiven):
            [
                .init(isGiven ? "to" : "from", grouped(party), .strong),
                .init("what", ["everything of the collection"] + grouped(.ethereum(collection))),
            ]
        case .call(let contract, let selector):
            [
                .init("calls", grouped(.ethereum(contract)), .strong),
                .init("what", ["data that cannot be decoded (0x\(Hex.encode(selector)))"]),
            ]
        case .nothing: [.init("pays", ["nothing to others"])]
        case .data(let script): [.init("writes", ["\(script.data.map(\.size) ?? "no bytes") into the chain (below)"])]
        case .deployment: [.init("makes", ["a contract"])]
        case .delegation(let contract):
            contract.map { [.init("obeys", grouped(.ethereum($0)) + ["from now on"], .strong)] }
                ?? [.init("obeys", ["no contract from now on"])]
        case .message: [.init("signs", ["this message (below)"])]
        case .file(let digest, _):
            [
                .init(
                    "signs", ["a file of \(digest.size) byte\(digest.size == 1 ? "" : "s"), with this comment (below)"]),
                .init("BLAKE2b", Self.groups(Hex.encode(digest.blake2b), inLine: columns < 56 ? 4 : 8), .strong),
            ]
        case .statement(let type, let contract):
            [.init("signs", ["data of the type '\(type.text)'"])]
                + (contract.map { [.init("for", ["the contract"] + grouped(.ethereum($0)))] } ?? [])
        }
    }

    private func allowance(_ quantity: String, _ party: Party, _ term: String) -> [LabelledRows.Row] {
        [.init("for", grouped(party), .strong), .init("takes", [quantity], .strong), .init("when", [term])]
    }

    /// Returns the inputs and the change of a Bitcoin transaction: all of them this wallet's own, unless a row says
    /// otherwise.
    private func flows(of spend: SpendSummary) -> [LabelledRows.Row] {
        let own = spend.inputs.filter { $0.path != nil }
        let others = spend.inputs.filter { $0.path == nil }.map { input in
            LabelledRows.Row(
                "others",
                [
                    input.previousOutput.map { "\(bitcoin($0.amount)) of another owner are spent" }
                        ?? "an unknown amount of another owner is spent"
                ] + (input.address.map { groups("\($0)") } ?? ["\(input.outPoint)"]))
        }
        let returned = spend.outputs.filter(\.isReturned)
        let places = returned.compactMap { $0.path.map { "\($0)" } }.joined(separator: ", ")
        return others
            + (own.isEmpty
                ? []
                : [
                    .init(
                        "from",
                        ["\(own.count) coin\(own.count == 1 ? "" : "s") of this wallet, \(bitcoin(spend.spent))"],
                        .faint)
                ])
            + (returned.isEmpty
                ? [] : [.init("back", ["\(bitcoin(spend.returned)) to this wallet (\(places))"], .faint)])
    }

    // MARK: Words

    /// Returns the address in groups of four, and the name below it.
    private func grouped(_ party: Party) -> [String] {
        if case .own(let address, let path) = party {
            return groups("\(address)") + ["far address \(path) of this wallet"]
        }
        if case .script = party { return ["\(party)"] }
        return groups("\(party)") + (names[party].map { ["(\($0))"] } ?? [])
    }

    private func groups(_ address: String) -> [String] { Self.groups(address, inLine: columns < 56 ? 4 : 8) }

    /// Returns `bc1q w508 d6qe …` or `0x5aAe b605 …`: a person compares two addresses group by group and line by line.
    ///
    /// - Parameter most: the maximum number of groups in a line.
    package static func groups(_ address: String, inLine most: Int) -> [String] {
        let prefix = address.hasPrefix("0x") ? "0x" : ""
        let rest = Array(address.dropFirst(prefix.count))
        let groups = stride(from: 0, to: rest.count, by: 4).map { String(rest[$0..<min($0 + 4, rest.count)]) }
        return stride(from: 0, to: groups.count, by: most).map { start in
            (start == 0 ? prefix : "") + groups[start..<min(start + most, groups.count)].joined(separator: " ")
        }
    }

    /// Returns the contract of an amount that is shown in the token's unit: the unit's name does not identify the
    /// contract.
    private func token(_ asset: Asset) -> [LabelledRows.Row] {
        units[asset, on: intent.chain].map { [.init("token", grouped(.ethereum($0.contract)))] } ?? []
    }

    private func contract(of asset: Asset) -> String { asset.contract.map { Self.short("\($0)") } ?? name(asset) }

    /// Returns the amount for the first line: no trailing zeros, and only the identifying part of a contract's address.
    private func brief(_ amount: UInt256, of asset: Asset) -> String {
        if let unit = units[asset, on: intent.chain] {
            return unit.symbol == nil ? "\(unit.text(amount)) of \(Self.short("\(unit.contract)"))" : unit.text(amount)
        }
        switch asset {
        case .coin:
            guard let chain = intent.chain, chain.currency == .bitcoin else { return coins(amount) }
            return units.bitcoin.short(amount)
        case .token(let contract): return "\(amount) of the smallest unit of \(Self.short("\(contract)"))"
        case .tokenOrItem(let contract): return "\(amount) of \(Self.short("\(contract)"))"
        case .item(let contract, let id): return "\(amount) of the thing \(id) of \(Self.short("\(contract)"))"
        }
    }

    private func quantity(_ amount: UInt256, of asset: Asset) -> String {
        if let unit = units[asset, on: intent.chain] { return unit.fullText(amount) }
        return switch asset {
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

    private func bitcoin(_ amount: Amount) -> String { coins(UInt256(amount.satoshis)) }

    /// Returns an amount in the chain's unit; in the smallest unit if the payload is bound to no chain.
    private func coins(_ amount: UInt256) -> String {
        guard let chain = intent.chain else { return "\(amount)" }
        return switch chain.currency {
        case .bitcoin: units.bitcoin.full(amount)
        case .ether: "\(DecimalText.short(amount, .ether)) \(chain.unit)"
        }
    }
}
