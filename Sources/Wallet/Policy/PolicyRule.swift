/// A rule of a policy: if all its conditions are met, its outcome applies.
public struct PolicyRule: Equatable, Sendable {
    /// The rule's name, which every decision of the rule shows to people.
    public let name: String
    /// The conditions. Without any, the rule matches everything.
    public let conditions: [PolicyCondition]
    /// The outcome if all conditions are met.
    public let outcome: Outcome

    /// The outcomes of a matching rule.
    public enum Outcome: Hashable, Sendable {
        /// The effect may be signed.
        case allow
        /// The effect must not be signed.
        case deny
        /// This number of the named approvers must sign the effect first.
        case approval(count: Int, of: [String])
        /// This number of seconds must pass after the first proposal.
        case delay(seconds: UInt64)
    }

    /// Creates a rule.
    public init(name: String, conditions: [PolicyCondition], outcome: Outcome) {
        self.name = name
        self.conditions = conditions
        self.outcome = outcome
    }

    /// Whether the rule limits amounts.
    var hasLimit: Bool {
        conditions.contains { condition in
            switch condition {
            case .atMost, .spentAtMost: true
            default: false
            }
        }
    }

    /// A condition that is not met, with the reason.
    struct Mismatch {
        let reason: String
        /// Whether the effect exceeds an amount that the rule limits: the reason then has the numbers.
        let isLimit: Bool
    }

    /// Whether the rule is for effects that are bound to no chain.
    var namesNoChain: Bool {
        conditions.contains { condition in
            if case .finding(let names) = condition { names.contains("no_chain") } else { false }
        }
    }

    /// Returns why the rule does not match; nil if it does.
    func mismatch(with subject: PolicyCase) -> Mismatch? {
        for condition in conditions {
            if let reason = condition.mismatch(with: subject) {
                return Mismatch(reason: reason, isLimit: condition.isLimit)
            }
        }
        return nil
    }
}

extension PolicyRule.Outcome {
    func verdict(on subject: PolicyCase) -> (Decision.Verdict, String) {
        switch self {
        case .allow: return (.allowed, "allowed")
        case .deny: return (.denied, "denied")
        case .approval(let count, let names):
            let given = names.filter(subject.context.approvers.contains).count
            if given >= count { return (.allowed, "\(given) of \(names.count) approvers have signed it") }
            return (.needsApproval(missing: count - given), Self.call(for: count, of: names, given))
        case .delay(let seconds):
            guard let proposed = subject.context.proposed else {
                return (
                    .notBefore(Self.end(of: seconds, from: subject.context.now)),
                    "it has to wait \(DurationText.words(seconds))"
                )
            }
            let end = Self.end(of: seconds, from: proposed)
            if subject.context.now >= end { return (.allowed, "it has waited \(DurationText.words(seconds))") }
            return (.notBefore(end), "it has to wait \(DurationText.words(seconds))")
        }
    }

    /// `anna has to approve it`, `2 of anna, ben, carl have to approve it, and 1 did`.
    private static func call(for count: Int, of names: [String], _ given: Int) -> String {
        let done = given == 0 ? "" : ", and \(given) did"
        guard count == names.count else {
            return "\(count) of \(names.joined(separator: ", ")) \(count == 1 ? "has" : "have") to approve it\(done)"
        }
        return "\(names.joined(separator: " and ")) \(count == 1 ? "has" : "have") to approve it\(done)"
    }

    private static func end(of seconds: UInt64, from time: UInt64) -> UInt64 {
        let (end, overflow) = time.addingReportingOverflow(seconds)
        return overflow ? .max : end
    }
}
