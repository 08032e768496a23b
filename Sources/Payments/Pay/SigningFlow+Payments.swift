internal import SigningSession
internal import Wallet

extension SigningFlow {
    /// Judges the effects of signing a payment, with the findings of its planning.
    ///
    /// - Parameters: as of `SigningFlow.propose(_:node:findings:for:isFurther:plannedAfter:)`.
    func propose(
        _ payload: SigningPayload, node: NodeView?, _ findings: [PaymentFinding], for order: OrderIdentity?,
        isFurther: Bool, plannedAfter mark: UInt64?
    ) async throws(PaymentError) -> ProposedSigning {
        try await attempt { () async throws(SigningError) in
            try await propose(
                payload, node: node, findings: findings.map(\.finding), for: order, isFurther: isFurther,
                plannedAfter: mark)
        }
    }

    /// Records what became of a signed payment.
    func record(_ outcome: HistoryEntry.Outcome, of digest: [UInt8]) async throws(PaymentError) {
        try await attempt { () async throws(SigningError) in try await note(outcome, of: digest) }
    }
}
