internal import Terminal
internal import Wallet

/// A decision, rule by rule.
struct ExplanationView: Encodable {
    struct Finding: Encodable {
        /// As policies name it. Null for what is about all of it.
        let effect: String?
        let to: String?
        /// Null where no rule fits, and where no policy could allow it.
        let rule: String?
        let verdict: String
        let reason: String
        /// The rules before it, each with why it does not fit.
        let passed: [String]
    }

    let intent: IntentView
    let findings: [Finding]
    /// Whether what was signed before has been looked at.
    let history_known: Bool

    init(_ intent: IntentView, _ decision: Decision, knowsHistory: Bool) {
        self.intent = intent
        findings = decision.findings.map {
            Finding(
                effect: $0.effect?.kind.rawValue, to: $0.effect?.party?.description, rule: $0.rule,
                verdict: IntentView.Decision(Decision(findings: [$0])).verdict, reason: $0.reason, passed: $0.passed)
        }
        history_known = knowsHistory
    }

    var text: StyledText {
        let parts = findings.map { finding in
            let subject = finding.effect.map { $0 + (finding.to.map { " to \($0)" } ?? "") } ?? "all of it"
            let last = finding.rule.map { "\($0): \(finding.reason)" } ?? "no rule: \(finding.reason)"
            return ([subject] + finding.passed.map { "  not by      \($0)" } + ["  decided by  \(last)"])
                .joined(separator: "\n")
        }
        return intent.text(.withoutRefusals)
            + StyledText("\n\n" + (parts + ["verdict: \(verdict)"]).joined(separator: "\n\n"))
    }

    private var verdict: String {
        switch intent.decision.verdict {
        case "not_before": "not yet"
        case "needs_approval":
            "needs \(intent.decision.missing_approvals ?? 0) more approval"
                + (intent.decision.missing_approvals == 1 ? "" : "s")
        default: intent.decision.verdict
        }
    }
}
