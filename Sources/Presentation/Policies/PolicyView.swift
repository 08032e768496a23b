internal import Encoding
internal import Texts
package import Wallet

/// The view of a policy.
package struct PolicyView: ResultView {
    package struct Rule: Encodable {
        let name: String
        let then: String
        /// The conditions, all of which must hold.
        let `if`: [String]
    }

    /// The rules in the order in which they are tried.
    package let rules: [Rule]
    /// The approvers' Ed25519 keys in hexadecimal, by name.
    let approvers: [String: String]
    /// The likely mistakes in the policy.
    package let warnings: [String]

    package init(_ policy: Policy) {
        rules = policy.rules.map {
            Rule(name: $0.name, then: $0.outcome.description, if: $0.conditions.map(\.description))
        }
        approvers = policy.approvers.mapValues { Hex.encode($0) }
        warnings = Self.warnings(on: policy)
    }

    package var text: String {
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
        if policy.rules.isEmpty { warnings.append("the policy has no rules: nothing is ever signed") }
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
