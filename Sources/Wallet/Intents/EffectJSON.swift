internal import Amounts
internal import Bitcoin
internal import Curves
internal import DisplayText
public import Encoding
internal import Ethereum
internal import HDKeys

// The JSON of effects, as in the sealed history and in the output of `--json`. docs/formats/book.md describes it.
//
// Each effect has one encoding. The reader accepts exactly what the writer writes: members in the same order, addresses
// with their checksum, amounts as decimal text in the smallest unit.

extension Effect {
    /// The effect, with its kind first.
    public var json: JSON {
        switch self {
        case .payment(let asset, let amount, let to):
            object(("asset", asset.json), ("amount", .text(amount)), ("to", to.json))
        case .transfer(let asset, let amount, let from, let to):
            object(("asset", asset.json), ("amount", .text(amount)), ("from", from.json), ("to", to.json))
        case .allowance(let asset, let amount, let to):
            object(("asset", asset.json), ("amount", amount.map(JSON.text) ?? .null), ("to", to.json))
        case .increase(let asset, let more, let to):
            object(("asset", asset.json), ("increase", .text(more)), ("to", to.json))
        case .decrease(let asset, let less, let to):
            object(("asset", asset.json), ("decrease", .text(less)), ("to", to.json))
        case .control(let contract, let party, let isGiven):
            object(("contract", .text(contract)), ("to", party.json), ("given", .bool(isGiven)))
        case .call(let contract, let selector):
            object(("contract", .text(contract)), ("selector", .string("0x" + Hex.encode(selector))))
        case .nothing, .deployment: object()
        case .data(let script): object(("script", .string(Hex.encode(script.bytes))))
        case .delegation(let contract): object(("contract", contract.map(JSON.text) ?? .null))
        case .message(let text): object(("text", text.json), ("oddities", text.oddityNames))
        case .statement(let type, let contract):
            object(
                ("type", type.json), ("oddities", type.oddityNames),
                ("contract", contract.map(JSON.text) ?? .null))
        case .file(let digest, let comment):
            object(
                ("blake2b", .string(Hex.encode(digest.blake2b))), ("size", .text(digest.size)),
                ("comment", comment.json), ("oddities", comment.oddityNames))
        }
    }

    /// Reads exactly what ``json`` gives.
    ///
    /// - Throws: ``WalletError/malformed(_:)``.
    public init(json: JSON) throws(WalletError) {
        guard let effect = Self.read(json), effect.json == json else { throw .malformed(.unsupported) }
        self = effect
    }

    private func object(_ members: (String, JSON)...) -> JSON { .fixed([("kind", .string(kind.rawValue))] + members) }

    /// Reads the effect, if possible. The caller compares its encoding with the input afterwards.
    private static func read(_ json: JSON) -> Effect? {
        guard let kind = json["kind"]?.string.flatMap(Kind.init) else { return nil }
        switch kind {
        case .payment:
            guard let asset = json["asset"].flatMap(Asset.init), let amount = json["amount"]?.amount,
                let to = json["to"].flatMap(Party.init)
            else { return nil }
            return .payment(asset, amount: amount, to: to)
        case .transfer:
            guard let asset = json["asset"].flatMap(Asset.init), let amount = json["amount"]?.amount,
                let from = json["from"].flatMap(Party.init), let to = json["to"].flatMap(Party.init)
            else { return nil }
            return .transfer(asset, amount: amount, from: from, to: to)
        case .allowance:
            guard let asset = json["asset"].flatMap(Asset.init), let to = json["to"].flatMap(Party.init) else {
                return nil
            }
            if let more = json["increase"]?.amount { return .increase(asset, by: more, to: to) }
            if let less = json["decrease"]?.amount { return .decrease(asset, by: less, to: to) }
            return .allowance(asset, amount: json["amount"]?.amount, to: to)
        case .control:
            guard let contract = json["contract"]?.address, let party = json["to"].flatMap(Party.init),
                let isGiven = json["given"]?.bool
            else { return nil }
            return .control(of: contract, by: party, isGiven: isGiven)
        case .call:
            guard let contract = json["contract"]?.address, let text = json["selector"]?.string,
                let selector = try? Hex.decode(String(text.dropFirst(2))), selector.count <= 4
            else { return nil }
            return .call(contract, selector: selector)
        case .nothing: return .nothing
        case .data:
            guard let bytes = try? json["script"]?.string.map({ try Hex.decode($0) }) else { return nil }
            let script = ScriptPubKey(bytes)
            return script.kind == .opReturn ? .data(script) : nil
        case .deployment: return .deployment
        case .delegation: return .delegation(to: json["contract"]?.address)
        case .message:
            guard let text = SanitizedText(json["text"], oddities: json["oddities"], lines: .several) else {
                return nil
            }
            return .message(text)
        case .statement:
            guard let type = SanitizedText(json["type"], oddities: json["oddities"], lines: .one) else { return nil }
            return .statement(type: type, for: json["contract"]?.address)
        case .file:
            guard let comment = SanitizedText(json["comment"], oddities: json["oddities"], lines: .one),
                let hash = try? json["blake2b"]?.string.map({ try Hex.decode($0) }), hash.count == BLAKE2b.size,
                let size = json["size"]?.string.flatMap({ UInt64($0) })
            else { return nil }
            return .file(FileDigest(size: size, blake2b: hash), comment: comment)
        }
    }
}

extension Asset {
    /// `{"type":"coin"}`, or an asset of a named contract.
    public var json: JSON {
        switch self {
        case .coin: .fixed([("type", "coin")])
        case .token(let contract): .fixed([("type", "token"), ("contract", .text(contract))])
        case .item(let contract, let id):
            .fixed([("type", "item"), ("contract", .text(contract)), ("id", .text(id))])
        case .tokenOrItem(let contract): .fixed([("type", "token_or_item"), ("contract", .text(contract))])
        }
    }

    fileprivate init?(_ json: JSON) {
        switch (json["type"]?.string, json["contract"]?.address) {
        case ("coin", nil): self = .coin
        case ("token", let contract?): self = .token(contract)
        case ("item", let contract?):
            guard let id = json["id"]?.amount else { return nil }
            self = .item(contract, id: id)
        case ("token_or_item", let contract?): self = .tokenOrItem(contract)
        default: return nil
        }
    }
}

extension Party {
    /// An address with its kind, or a script.
    public var json: JSON {
        switch self {
        case .bitcoin(let address):
            .fixed([
                ("type", "bitcoin"), ("network", .string(address.network.name)),
                ("address", .string(address.description)),
            ])
        case .script(let script): .fixed([("type", "script"), ("script", .string(Hex.encode(script.bytes)))])
        case .ethereum(let address): .fixed([("type", "ethereum"), ("address", .text(address))])
        case .own(let address, let path):
            .fixed([
                ("type", "own"), ("network", .string(address.network.name)),
                ("address", .string(address.description)), ("path", .text(path)),
            ])
        }
    }

    /// Reads exactly what ``json`` gives.
    ///
    /// - Throws: ``WalletError/malformed(_:)``.
    public init(json: JSON) throws(WalletError) {
        guard let party = Party(json), party.json == json else { throw .malformed(.unsupported) }
        self = party
    }

    fileprivate init?(_ json: JSON) {
        switch json["type"]?.string {
        case "bitcoin":
            guard let network = json["network"]?.string.flatMap({ Network(name: $0) }),
                let text = json["address"]?.string, let address = try? Address<Unchecked>(text).require(network)
            else { return nil }
            self = .bitcoin(address)
        case "script":
            guard let bytes = try? json["script"]?.string.map({ try Hex.decode($0) }) else { return nil }
            self = .script(ScriptPubKey(bytes))
        case "ethereum":
            guard let address = json["address"]?.address else { return nil }
            self = .ethereum(address)
        case "own":
            guard let network = json["network"]?.string.flatMap({ Network(name: $0) }),
                let text = json["address"]?.string, let address = try? Address<Unchecked>(text).require(network),
                let path = json["path"]?.string.flatMap({ try? DerivationPath($0) }).flatMap({ AddressPath($0) })
            else { return nil }
            self = .own(address, at: path)
        default: return nil
        }
    }
}

extension SanitizedText {
    /// Reads a text that was shown before, with its oddities.
    fileprivate init?(_ text: JSON?, oddities: JSON?, lines: Lines) {
        guard let text = text?.string, let names = oddities?.array else { return nil }
        self.init(
            written: text, lines: lines, oddities: Oddity.allCases.filter { names.contains(.string($0.name)) })
    }

    /// The text as it was stored first.
    fileprivate var json: JSON { .string(written ?? text) }

    fileprivate var oddityNames: JSON { .array(oddities.map { .string($0.name) }) }
}

extension SanitizedText.Oddity {
    /// The oddity's name for programs.
    var name: String {
        switch self {
        case .invisible: "invisible"
        case .direction: "direction"
        case .mixedScripts: "mixed_scripts"
        case .lookAlikes: "look_alikes"
        case .stackedMarks: "stacked_marks"
        case .blanks: "blanks"
        case .cut: "cut"
        }
    }
}

extension JSON {
    fileprivate static func text(_ value: some CustomStringConvertible) -> JSON { .string(value.description) }

    /// Returns an object with these members.
    ///
    /// - Precondition: no name occurs twice; all names are in this file.
    fileprivate static func fixed(_ members: [(String, JSON)]) -> JSON {
        guard let object = try? Object(members.map { Object.Member(name: $0.0, value: $0.1) }) else {
            preconditionFailure("a name is there twice")
        }
        return .object(object)
    }

    fileprivate var amount: UInt256? { string.flatMap { try? UInt256(decimal: $0) } }
    fileprivate var address: EthereumAddress? { string.flatMap { try? EthereumAddress($0) } }
}
