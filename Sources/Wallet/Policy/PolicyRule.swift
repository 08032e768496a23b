/// A rule of a policy: where all conditions hold, its outcome does.
public struct PolicyRule: Equatable, Sendable {
    /// For people: it stands in every decision that the rule makes.
    public let name: String
    /// None: it fits everything.
    public let conditions: [PolicyCondition]
    /// What the rule decides where all of its conditions hold.
    public let outcome: Outcome

    /// What follows where a rule fits.
    public enum Outcome: Hashable, Sendable {
        /// The effect may be signed.
        case allow
        /// The effect must not be signed.
        case deny
        /// So many of these approvers have to sign it before.
        case approval(count: Int, of: [String])
        /// So many seconds have to pass after it was first proposed.
        case delay(seconds: UInt64)
    }

    /// Creates a rule.
    public init(name: String, conditions: [PolicyCondition], outcome: Outcome) {
        self.name = name
        self.conditions = conditions
        self.outcome = outcome
    }

    /// Whether it bounds amounts.
    var hasLimit: Bool {
        conditions.contains { condition in
            switch condition {
            case .atMost, .spentAtMost: true
            default: false
            }
        }
    }

    /// Whether it is meant for what names no chain.
    var namesNoChain: Bool {
        conditions.contains { condition in
            if case .finding(let names) = condition { names.contains("no_chain") } else { false }
        }
    }

    /// Why the rule does not fit; nil where it does.
    func mismatch(with subject: PolicyCase) -> String? {
        for condition in conditions {
            if let reason = condition.mismatch(with: subject) { return reason }
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
