internal import ArgumentParser
internal import Encoding
internal import Terminal
internal import Wallet

struct PolicyCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read a policy file strictly, and tell what its rules say.",
        discussion: """
            A name that is not known is a mistake, and told with its place: a condition that was misspelt would let \
            everything pass. docs/formats/policy.md describes the file. Needs no wallet and no passphrase.

            EXAMPLE
              fueki policy check policy.json
            """)

    @Argument(help: "The policy: JSON; '-' is standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let view = PolicyView(try PolicyDocument.read(file).policy)
        try output.result(view) { view.text }
        for warning in view.warnings { output.note("warning: \(warning)") }
    }
}

/// A policy file as it was given.
struct PolicyDocument {
    let bytes: [UInt8]
    let policy: Policy

    static func read(_ path: String) throws(Failure) -> PolicyDocument {
        let bytes = try InputFile.read(path)
        return PolicyDocument(
            bytes: bytes, policy: try attempt(on: path) { () throws(PolicyFault) in try Policy(file: bytes) })
    }
}

/// A policy as it is shown.
struct PolicyView: Encodable {
    struct Rule: Encodable {
        let name: String
        let then: String
        /// All have to hold.
        let `if`: [String]
    }

    /// In the order in which they are tried.
    let rules: [Rule]
    /// Their Ed25519 keys in hexadecimal, by name.
    let approvers: [String: String]
    /// What is likely to be a mistake.
    let warnings: [String]

    init(_ policy: Policy) {
        rules = policy.rules.map {
            Rule(name: $0.name, then: $0.outcome.description, if: $0.conditions.map(\.description))
        }
        approvers = policy.approvers.mapValues { Hex.encode($0) }
        warnings = Self.warnings(on: policy)
    }

    var text: String {
        let lines = rules.enumerated().flatMap { number, rule in
            ["\(number + 1). \(rule.name): \(rule.then)\(rule.if.isEmpty ? ", whatever it is" : ", if")"]
                + rule.if.enumerated().map { "     " + ($0 == 0 ? "" : "and ") + $1 }
        }
        let people = approvers.sorted { $0.key < $1.key }.map { ["  \($0.key)", $0.value] }
        return
            (lines + ["\(rules.count + 1). Everything else is denied."]
            + (people.isEmpty ? [] : ["", "Approvers", Table(people).text])).joined(separator: "\n")
    }

    private static func warnings(on policy: Policy) -> [String] {
        var warnings: [String] = []
        if policy.rules.isEmpty { warnings.append("there is no rule: nothing is ever signed") }
        if let last = policy.rules.firstIndex(where: { $0.conditions.isEmpty }) {
            let name = policy.rules[last].name
            warnings += policy.rules[(last + 1)...].map {
                "the rule '\($0.name)' is never reached: '\(name)' before it fits everything"
            }
        }
        warnings += policy.rulesWithoutFeeBound.map {
            "the rule '\($0.name)' allows any fee, so that all coins can be burned: bound it with 'fee_at_most'"
        }
        let asked = policy.rules.flatMap { rule in
            if case .approval(_, let names) = rule.outcome { names } else { [String]() }
        }
        let idle = Set(policy.approvers.keys).subtracting(asked).sorted()
        return warnings + idle.map { "no rule asks the approver '\($0)'" }
    }
}
