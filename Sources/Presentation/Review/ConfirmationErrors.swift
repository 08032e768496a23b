internal import Ceremonies
package import Custody
internal import Encoding
internal import ErrorTexts
package import SigningSession
internal import Sweep
package import Texts

extension ConfirmationMethod {
    /// The options of the command, as its messages name them.
    var option: String { if case .digest = self { "--expect" } else { "--yes" } }
}

extension ConfirmationOutcome {
    /// The part of the review that is shown now. A later error does not repeat it. Nil if the question, or the result
    /// of a rehearsal, shows all of it.
    package func telling(isRehearsal: Bool) -> IntentView.Telling? {
        switch self {
        case .question, .rehearsed: nil
        case .confirmed: .all
        case .otherDigest: isRehearsal ? nil : .all
        case .unaccepted(_, let areAll): areAll ? .withoutCosts : .all
        case .refused, .forbidden: .withoutRefusals
        }
    }

    /// The reason why nothing is signed; nil if it is signed, or only shown.
    ///
    /// - Parameters:
    ///   - wallet: the wallet whose policy decided.
    ///   - ignored: sentences about approvals that do not count.
    ///   - local: the time zone of the person.
    package func failure(
        of proposal: ProposedSigning, in wallet: WalletName, by method: ConfirmationMethod, ignored: [String],
        local: LocalTime
    ) -> Failure? {
        var failure: Failure
        switch self {
        case .question, .confirmed, .rehearsed: return nil
        case .unaccepted(let costs, _): return .notAccepted(costs, by: method.option)
        case .otherDigest: failure = CeremonyError.notWhatWasConfirmed.failure
        case .refused(let refusals): failure = CeremonyError.refused(refusals).failure
        case .forbidden(_, let kept): failure = proposal.forbidden(in: wallet, kept, local: local)
        }
        for sentence in ignored { failure = failure.reworded { "\($0); \(sentence)" } }
        return failure
    }
}

extension SigningQuestion {
    /// The question that a person answers.
    package var text: String {
        repeats ? "This makes the same payment a second time. Sign it anyway?" : "Sign this?"
    }
}

extension SweepConfirmation {
    /// The reason why nothing is moved; nil if it is moved, or only shown.
    package func failure(by method: ConfirmationMethod) -> Failure? {
        if case .unaccepted(let costs) = self { .notAccepted(costs, by: method.option) } else { nil }
    }
}

extension ApprovalConfirmation {
    /// The reason why nothing is approved; nil if it is approved.
    package func failure(by method: ConfirmationMethod) -> Failure? {
        switch self {
        case .question, .confirmed: nil
        case .refused(let refusals): CeremonyError.refused(refusals).failure
        case .otherDigest: CeremonyError.notWhatWasConfirmed.failure
        case .unaccepted(let costs): .notAccepted(costs, by: method.option)
        }
    }
}

extension Failure {
    /// The failure of an approver who does not agree.
    package static func notApproved() -> Failure {
        Failure(code: .refused, name: "declined", message: "not approved: you did not confirm")
    }

    /// Reads the digest of `--expect`, 32 bytes.
    package static func readDigest(_ text: String) throws(Failure) -> [UInt8] {
        guard let digest = try? Hex.decode(text.lowercased()) else {
            throw .usage("--expect takes the digest that was shown")
        }
        return digest
    }
}
