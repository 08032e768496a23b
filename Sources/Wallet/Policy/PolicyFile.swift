internal import Amounts
internal import Encoding

/// The file of a policy: JSON, read strictly. An unknown name is refused: otherwise a misspelt condition would let
/// everything pass. docs/formats/policy.md describes it.
extension Policy {
    /// Reads a policy file in JSON.
    ///
    /// - Throws: ``PolicyFault`` with the place of the mistake.
    public init(file bytes: [UInt8]) throws(PolicyFault) {
        let json: JSON
        do { json = try JSON(decoding: bytes, limit: WalletLimits.policyBytes) } catch {
            throw PolicyFault("", error.clause(on: bytes))
        }
        let file = try PolicyNode(json, at: "").members(
            required: ["version", "rules"], optional: ["assets", "lists", "approvers"])
        guard file["version"]?.value.number?.text == "1" else { throw PolicyFault("version", "it has to be 1") }
        var terms = try PolicyTerms(assets: file["assets"], lists: file["lists"])

        var approvers: [String: [UInt8]] = [:]
        for (name, node) in try file["approvers"]?.named() ?? [] {
            guard PolicyNode.isName(name) else {
                throw PolicyFault(node.place, "an approver has a name of up to 64 plain characters")
            }
            guard let key = try? Hex.decode(try node.string()), key.count == 32 else {
                throw PolicyFault(node.place, "it has to be an Ed25519 key: 64 hexadecimal digits")
            }
            guard !approvers.values.contains(key) else {
                throw PolicyFault(node.place, "another approver has the same key")
            }
            approvers[name] = key
        }
        terms.approvers = Set(approvers.keys)

        var rules: [PolicyRule] = []
        for node in try file["rules"]?.elements() ?? [] { rules.append(try PolicyRule(node, terms)) }
        guard Set(rules.map(\.name)).count == rules.count else {
            throw PolicyFault("rules", "two rules have the same name")
        }
        self.init(rules: rules, approvers: approvers, tokens: terms.tokens)
    }
}

extension PolicyRule {
    init(_ node: PolicyNode, _ terms: PolicyTerms) throws(PolicyFault) {
        let members = try node.members(required: ["name", "then"], optional: ["if"])
        guard let nameNode = members["name"], let then = members["then"] else {
            throw PolicyFault(node.place, "a rule has a name and an outcome")
        }
        name = try nameNode.string()
        guard PolicyNode.isName(name) else {
            throw PolicyFault(nameNode.place, "it has to be a name of up to 64 plain characters")
        }
        outcome = try Outcome(then, terms)
        var conditions: [PolicyCondition] = []
        for (name, value) in try members["if"]?.named() ?? [] {
            conditions.append(try PolicyCondition(name, value, terms))
        }
        self.conditions = conditions
    }
}

extension PolicyRule.Outcome {
    fileprivate init(_ node: PolicyNode, _ terms: PolicyTerms) throws(PolicyFault) {
        switch node.value {
        case .string("allow"): self = .allow
        case .string("deny"): self = .deny
        case .object:
            let members = try node.members(required: [], optional: ["approvals", "of", "delay"])
            if let delay = members["delay"], members.count == 1 {
                self = .delay(seconds: try delay.seconds())
            } else if let approvals = members["approvals"], let of = members["of"], members.count == 2 {
                let names = try of.strings()
                if let stranger = names.first(where: { !terms.approvers.contains($0) }) {
                    throw PolicyFault(of.place, "the approver '\(stranger)' is unknown")
                }
                guard Set(names).count == names.count else { throw PolicyFault(of.place, "a name is there twice") }
                let count = try approvals.count()
                guard (1...max(1, names.count)).contains(count), !names.isEmpty else {
                    throw PolicyFault(approvals.place, "it has to be from 1 to the number of approvers")
                }
                self = .approval(count: count, of: names)
            } else {
                throw PolicyFault(node.place, "it has to be either a delay, or approvals with of")
            }
        default: throw PolicyFault(node.place, "it has to be allow, deny, a delay or approvals")
        }
    }
}

extension PolicyCondition {
    fileprivate init(_ name: String, _ node: PolicyNode, _ terms: PolicyTerms) throws(PolicyFault) {
        switch name {
        case "chain": self = .chain(Set(try node.each(terms.chain)))
        case "effect":
            self = .kind(
                Set(
                    try node.each { (node) throws(PolicyFault) in
                        guard let kind = Effect.Kind(rawValue: try node.string()) else {
                            let names = Effect.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                            throw PolicyFault(node.place, "it has to be one of \(names)")
                        }
                        return kind
                    }))
        case "asset": self = .asset(Set(try node.each(terms.asset)))
        case "to": self = .to(Set(try node.each(terms.parties).joined()))
        case "not_to": self = .notTo(Set(try node.each(terms.parties).joined()))
        case "known": self = .known(try node.bool())
        case "unlimited": self = .unlimited(try node.bool())
        case "at_most":
            let (amount, asset) = try terms.amount(node)
            self = .atMost(amount, asset)
        case "fee_at_most":
            if node.value.object == nil {
                let (amount, asset) = try terms.amount(node)
                guard asset.asset == .coin else { throw .foreignFee(node) }
                self = .feeAtMost(amount, asset.chain)
            } else {
                let (amount, asset, seconds) = try Self.window(node, terms)
                guard asset.asset == .coin else { throw .foreignFee(node) }
                self = .feesAtMost(amount, asset.chain, seconds: seconds)
            }
        case "spent_at_most":
            let (amount, asset, seconds) = try Self.window(node, terms)
            self = .spentAtMost(amount, asset, seconds: seconds)
        case "remark":
            self = .finding(
                Set(
                    try node.each { (node) throws(PolicyFault) in
                        let name = try node.string()
                        guard Finding.names.contains(name) else {
                            throw PolicyFault(node.place, "the finding is unknown")
                        }
                        return name
                    }))
        default: throw PolicyFault(node.place, "the condition is unknown")
        }
    }

    /// Reads an amount in a window of time.
    private static func window(
        _ node: PolicyNode, _ terms: PolicyTerms
    ) throws(PolicyFault) -> (UInt256, PolicyAsset, UInt64) {
        let members = try node.members(required: ["amount", "within"], optional: [])
        guard let amountNode = members["amount"], let within = members["within"] else {
            throw PolicyFault(node.place, "it has an amount and a time")
        }
        let (amount, asset) = try terms.amount(amountNode)
        return (amount, asset, try within.seconds())
    }
}

extension PolicyFault {
    fileprivate static func foreignFee(_ node: PolicyNode) -> PolicyFault {
        PolicyFault(node.place, "fees are paid in the chain's coin")
    }
}

extension EncodingError {
    /// Describes an error in JSON that a user wrote, with the line and the character in it, from 1.
    fileprivate func clause(on bytes: [UInt8]) -> String {
        func place(_ offset: Int) -> String {
            let before = bytes.prefix(offset)
            let line = before.lazy.filter { $0 == UInt8(ascii: "\n") }.count + 1
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            // Counts the bytes that begin a character of UTF-8.
            let column = before.dropFirst(start).lazy.filter { $0 & 0xC0 != 0x80 }.count + 1
            return "line \(line), character \(column)"
        }
        switch self {
        case .badCharacter(let offset):
            return "it is not strict JSON: unexpected text at \(place(offset))"
        case .duplicate(let offset): return "the name at \(place(offset)) is there twice"
        case .leftOver(let count):
            return "it is not strict JSON: something follows the end, at \(place(bytes.count - count))"
        case .truncated: return "it is not strict JSON: it ends too early, at \(place(bytes.count))"
        case .tooLong(let limit): return "it is longer than \(limit) bytes"
        case .tooDeep(let limit): return "it is nested deeper than \(limit)"
        case .badChecksum, .notCanonical, .unsupported: return "it is not strict JSON"
        }
    }
}
