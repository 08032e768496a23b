package import Ceremonies
package import Wallet

/// An authorizer without a memory: the checks and a policy, without any history or known payees. A limit over time
/// therefore limits each payment alone.
package struct PolicyAuthorizer: SigningAuthorizer {
    private let policy: Policy
    private let context: PolicyContext

    /// Creates an authorizer with a policy and without a history.
    ///
    /// - Parameter now: seconds since 1970.
    package init(_ policy: Policy = .standard, now: UInt64) {
        self.policy = policy
        context = PolicyContext(
            now: now, history: [], known: [], chosen: [], proposed: nil, approvers: [], node: nil)
    }

    package func admit(_ payload: SigningPayload, meaning intent: Intent) throws(CeremonyError) {
        let decision = policy.decide(on: intent.checked(in: context), in: context)
        guard decision.verdict == .allowed else { throw .forbidden(decision) }
    }

    /// Does nothing, since this authorizer counts nothing.
    package func willSendSignature(of digest: [UInt8]) {}
}
