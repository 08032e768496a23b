internal import Ceremonies
internal import Custody

extension SigningFlow {
    /// Asks a person, and signs. A person who has seen all findings accepts all of them.
    ///
    /// - Returns: the signed proposal; nil if the person does not agree.
    /// - Throws: ``SigningError/custody(_:)``; with `CeremonyError.forbidden(_:)` for a payment that became a proposal
    ///   in the book.
    public func sign(
        _ proposal: ProposedSigning, _ confirm: (ProposedSigning) async -> Bool
    ) async throws(SigningError) -> SignedProposal? {
        guard let confirmed = try await confirmed(proposal, confirm) else { return nil }
        return try await sign(confirmed)
    }

    /// Asks a person about a proposal.
    package func confirmed(
        _ proposal: ProposedSigning, _ confirm: (ProposedSigning) async -> Bool
    ) async throws(SigningError) -> ConfirmedSigning? {
        switch try await confirmation(of: proposal, by: .question) {
        case .question(let question): return await confirm(proposal) ? question.answeredYes() : nil
        case .confirmed(let confirmed): return confirmed
        case .rehearsed: throw .flow(.rehearsal)
        case .unaccepted(let costs, _): throw .custody(.ceremony(.notAccepted(costs)))
        case .otherDigest: throw .custody(.ceremony(.notWhatWasConfirmed))
        case .refused(let refusals): throw .custody(.ceremony(.refused(refusals)))
        case .forbidden(_, .failed(let error)): throw error
        case .forbidden(let decision, _): throw .custody(.ceremony(.forbidden(decision)))
        }
    }
}
