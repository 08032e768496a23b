public import Wallet

/// The next step with a proposal, given the way in which the person confirms it.
public enum ConfirmationOutcome: Sendable {
    /// Show everything, and ask the person; after a yes, sign what the question then becomes.
    case question(SigningQuestion)
    /// The person has confirmed it: sign it without a question.
    case confirmed(ConfirmedSigning)
    /// The flow is a rehearsal: show everything, and sign nothing.
    case rehearsed
    /// Costly findings were not accepted by name. `areAll`: the proposal has no other costly finding.
    case unaccepted([Finding], areAll: Bool)
    /// The confirmed digest is that of another intent.
    case otherDigest
    /// It is never signed, whatever the policy allows.
    case refused([Finding])
    /// The policy does not allow it now.
    case forbidden(Decision, KeptProposal)
}

/// A question to a person about a proposal that the policy allows. A ``SigningFlow`` cannot sign it: a yes makes it a
/// ``ConfirmedSigning``.
public struct SigningQuestion: Sendable {
    fileprivate let proposal: ProposedSigning

    /// Whether the same payment was made before, or is on its way: ask whether it is to be paid a second time.
    public var repeats: Bool { proposal.isRepeated }

    /// Records the person's yes, which accepts all costly findings. Call it only after the person has seen the intent with
    /// all findings.
    public func answeredYes() -> ConfirmedSigning { proposal.confirmedWithAllCosts() }
}

/// The result of keeping a proposal in the book that the policy may allow later.
public enum KeptProposal: Equatable, Sendable {
    /// It was not kept: the flow is a rehearsal, or the policy never allows it.
    case notKept
    /// It waits in the wallet's book.
    case waits
    /// It could not be written into the book.
    case failed(SigningError)
}

extension SigningFlow {
    /// Decides the next step with a proposal.
    ///
    /// Outside a rehearsal, it checks the shares of a proposal that the policy allows, before a person reads and
    /// confirms; and it keeps a proposal in the book that the policy may allow later, which needs no share.
    ///
    /// - Throws: ``SigningError/custody(_:)`` if a share is missing or the passphrase is wrong.
    public func confirmation(
        of proposal: ProposedSigning, by method: ConfirmationMethod
    ) async throws(SigningError) -> ConfirmationOutcome {
        if !isRehearsal, proposal.decision.verdict == .allowed { try await requireShares() }
        let outcome = proposal.outcome(confirmedBy: method, isRehearsal: isRehearsal)
        guard case .forbidden(let decision, _) = outcome, proposal.mayWait, !isRehearsal else { return outcome }
        do throws(SigningError) { try await hold(proposal) } catch { return .forbidden(decision, .failed(error)) }
        return .forbidden(decision, .waits)
    }
}

extension ProposedSigning {
    /// Whether the policy may allow it later.
    var mayWait: Bool {
        guard intent.refusals.isEmpty else { return false }
        switch decision.verdict {
        case .notBefore, .needsApproval: return true
        case .allowed, .denied: return false
        }
    }

    /// Decides the next step, without any effect.
    fileprivate func outcome(confirmedBy method: ConfirmationMethod, isRehearsal: Bool) -> ConfirmationOutcome {
        guard intent.refusals.isEmpty else { return .refused(intent.refusals) }
        guard decision.verdict == .allowed else { return .forbidden(decision, .notKept) }
        if case .digest(let digest, _) = method, digest != intent.digest { return .otherDigest }
        let costs = intent.costs(besides: [])
        let unaccepted = method.unaccepted(among: costs, besides: planned)
        guard unaccepted.isEmpty else { return .unaccepted(unaccepted, areAll: unaccepted == costs) }
        if isRehearsal { return .rehearsed }
        return method.isQuestion ? .question(SigningQuestion(proposal: self)) : .confirmed(confirmedWithAllCosts())
    }

    /// Confirms a proposal that the policy allows and that has no refusals, with all of its costly findings.
    fileprivate func confirmedWithAllCosts() -> ConfirmedSigning {
        let costs = intent.costs(besides: [])
        guard let confirmed = try? confirmed(intent.digest, accepting: Set(costs.map(\.name))) else {
            preconditionFailure("a proposal without refusals, allowed, with all costs accepted, is confirmed")
        }
        return confirmed
    }
}
