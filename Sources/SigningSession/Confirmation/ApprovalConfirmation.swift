public import Wallet
public import WalletBooks

/// The next step with a request for an approval, given the way in which the approver confirms it.
public enum ApprovalConfirmation: Equatable, Sendable {
    /// Show everything with all findings, and ask the approver; after a yes, approve it.
    case question
    /// The approver has confirmed it: approve it without a question.
    case confirmed
    /// Nothing of this kind is ever signed, so that there is nothing to approve.
    case refused([Finding])
    /// The confirmed digest is that of another intent.
    case otherDigest
    /// These costly findings were not accepted by name.
    case unaccepted([Finding])
}

extension ApprovalRequest {
    /// Decides the next step.
    public func confirmation(by method: ConfirmationMethod) -> ApprovalConfirmation {
        guard intent.refusals.isEmpty else { return .refused(intent.refusals) }
        if case .digest(let digest, _) = method, digest != intent.digest { return .otherDigest }
        let unaccepted = method.unaccepted(among: intent.costs(besides: []))
        guard unaccepted.isEmpty else { return .unaccepted(unaccepted) }
        return method.isQuestion ? .question : .confirmed
    }
}
