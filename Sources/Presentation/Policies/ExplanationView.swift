package import Texts
internal import Wallet
package import WalletBooks

/// The explanation of a policy's decision, rule by rule.
package struct ExplanationView: Encodable {
    struct Finding: Encodable {
        /// The effect as policies name it; null if the finding is about all of the payload.
        let effect: String?
        let to: String?
        /// The rule that decides; null if no rule fits, or if no policy could allow it.
        let rule: String?
        let verdict: String
        let reason: String
        /// The earlier rules, each with the reason why it does not fit.
        let passed: [String]
    }

    let intent: IntentView
    let findings: [Finding]
    /// Whether earlier signatures were taken into account.
    let history_known: Bool

    /// The facts that the decision does not take into account.
    package let notes: [String]

    enum CodingKeys: String, CodingKey { case intent, findings, history_known }

    /// - Parameter paths: the files of the given approvals.
    package init(_ explanation: PolicyExplanation, approvals paths: [String]) {
        let subject = explanation.subject
        var intent = IntentView(
            explanation.intent, explanation.decision, of: subject.work, accounts: subject.accounts,
            wallet: subject.name, names: explanation.names)
        let ignored = explanation.ignoredApprovals.map { $0.sentence(on: paths) }
        if !ignored.isEmpty { intent.ignored_approvals = ignored }
        self.intent = intent
        findings = explanation.decision.findings.map {
            Finding(
                effect: $0.effect?.kind.rawValue, to: $0.effect?.party?.description, rule: $0.rule,
                verdict: IntentView.Decision(Decision(findings: [$0])).verdict, reason: $0.reason, passed: $0.passed)
        }
        history_known = explanation.knowsHistory
        notes =
            (explanation.isStandard
                ? ["this is what holds for wallets without a policy; --policy names another one"] : [])
            + (explanation.knowsHistory
                ? [] : ["what was signed before, and whom you know, is not in it: see --with-history"])
    }

    /// - Parameter width: the width of a line.
    package func text(in width: Columns) -> StyledText {
        let parts = findings.map { finding in
            let subject = finding.effect.map { $0 + (finding.to.map { " to \($0)" } ?? "") } ?? "all of it"
            let last = finding.rule.map { "\($0): \(finding.reason)" } ?? "no rule: \(finding.reason)"
            return ([subject] + finding.passed.map { "  not by      \($0)" } + ["  decided by  \(last)"])
                .joined(separator: "\n")
        }
        return intent.text(.withoutRefusals, in: width)
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
