public import Wallet

/// Whether a participant signs what was confirmed: the owner's policy, limits and approvals. Each participant asks its own, with what it
/// has read from the bytes itself, before its first message leaves.
public protocol SigningAuthorizer: Sendable {
    /// Admits it, or throws. What counts against a limit is on the disk to stay before this returns.
    ///
    /// Several participants of one session may ask the same authorizer: the same digest counts once.
    ///
    /// - Parameter intent: read from the payload, without refusals.
    /// - Throws: ``CeremonyError/forbidden(_:)``; ``CeremonyError/port(_:)`` for what stands in the way of remembering it.
    func admit(_ payload: SigningPayload, meaning intent: Intent) async throws(CeremonyError)

    /// Hears that a part of a signature is about to leave the participant. Whatever becomes of the session, there may be a signature.
    ///
    /// - Parameter digest: `Intent.digest` of what was admitted.
    func releases(_ digest: [UInt8]) async
}

/// A authorizer without a memory: the checks and a policy, for somebody who has signed nothing before and knows nobody. A limit over a
/// time limits each payment alone. A wallet's book remembers.
public struct PolicyAuthorizer: SigningAuthorizer {
    private let policy: Policy
    private let context: PolicyContext

    /// Creates an authorizer that knows a policy, and no history.
    ///
    /// - Parameter now: seconds since 1970.
    public init(_ policy: Policy = .standard, now: UInt64) {
        self.policy = policy
        context = PolicyContext(
            now: now, history: [], known: [], chosen: [], proposed: nil, approvers: [], node: nil)
    }

    public func admit(_ payload: SigningPayload, meaning intent: Intent) throws(CeremonyError) {
        let decision = policy.decide(on: intent.checked(in: context), in: context)
        guard decision.verdict == .allowed else { throw .forbidden(decision) }
    }

    /// Nothing counts here.
    public func releases(_ digest: [UInt8]) {}
}
