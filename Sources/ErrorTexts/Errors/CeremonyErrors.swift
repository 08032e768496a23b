package import Ceremonies
internal import Custody
package import Texts
internal import Wallet

extension CeremonyError: Explained {
    package var failure: Failure {
        switch self {
        case .wrongNumberOfShares(let needed, let given):
            Failure(
                code: .refused, name: "wrong_number_of_shares",
                message: given == 1
                    ? "signing needs \(needed) different shares, and 1 was named"
                    : "signing needs \(needed) different shares, and \(given) were named")
        case .malformedMessage:
            Failure(code: .ceremony, name: "malformed_message", message: "a participant's message is malformed")
        case .staleMessage:
            Failure(
                code: .ceremony, name: "stale_message", message: "a participant's message is of another session or step"
            )
        case .noAnswer(let silent):
            Failure(
                code: .ceremony, name: "no_answer",
                message: "no answer came in time from the participants with these shares: "
                    + "\(silent.map { ShareLocation(index: $0).name }.joined(separator: ", "))",
                hint: "check that it runs and can be reached, or sign with other shares (--with)")
        case .notWhatWasConfirmed:
            Failure(
                code: .refused, name: "not_what_was_confirmed",
                message: "this is not what was confirmed; nothing was signed")
        case .noLedger:
            Failure(
                code: .refused, name: "no_ledger",
                message: "this needs ECDSA signatures, for which the share files must be writable")
        case .refused(let refusals):
            Failure(
                code: .refused, name: "refused",
                message: "will not sign: \(refusals.map(\.text).joined(separator: "; "))")
        case .notAccepted(let costs): .notAccepted(costs, by: "this confirmation")
        case .forbidden(let decision): forbidden(decision)
        case .noSuchShare(let index): CustodyError.noSuchShare(name: ShareLocation(index: index).name).failure
        case .wallet(let error): error.failure
        case .threshold(let error): error.failure
        case .accusation(let error, let witness): error.failure.reported(by: ShareLocation(index: witness))
        case .port(let port):
            (port.cause as? any Explained)?.failure
                ?? Failure(
                    code: .other, name: "participant",
                    message: "a participant cannot go on: the program that keeps its share failed")
        }
    }

    /// The failure of the strictest outcome in the policy's decision.
    private func forbidden(_ decision: Decision) -> Failure {
        let reasons = decision.findings.filter { $0.verdict == decision.verdict }.map { finding in
            finding.rule.map { rule in
                "\(finding.reason) (rule '\(rule)')"
                    + finding.limits.map { "; not allowed by rule '\($0.rule)': \($0.reason)" }.joined()
            }
                ?? finding.reason + (finding.passed.isEmpty ? "" : " (\(finding.passed.joined(separator: "; ")))")
        }
        let name =
            switch decision.verdict {
            case .notBefore: "not_yet"
            case .needsApproval: "needs_approval"
            case .allowed, .denied: "forbidden"
            }
        return Failure(
            code: .refused, name: name,
            message: "\(decision.verdict.clause): \(reasons.joined(separator: "; ")); nothing was signed",
            hint: decision.verdict == .denied ? "'fueki policy explain' explains the decision rule by rule" : nil)
    }
}
