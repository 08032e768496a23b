public import Wallet

/// Decides whether a participant signs a confirmed intent: the owner's policy, limits and approvals. Each participant
/// asks its own authorizer, with the intent that it decoded itself, before its first message leaves.
public protocol SigningAuthorizer: Sendable {
    /// Admits the intent, or throws. Anything that counts against a limit is durable on the disk before this returns.
    ///
    /// Several participants of one session may ask the same authorizer: the same digest counts once.
    ///
    /// - Parameter intent: the intent of the payload, without refusals.
    /// - Throws: ``CeremonyError/forbidden(_:)``; ``CeremonyError/port(_:)`` if it could not be recorded.
    func admit(_ payload: SigningPayload, meaning intent: Intent) async throws(CeremonyError)

    /// Records that a partial signature is about to leave the participant. From now on a signature may exist, whatever
    /// becomes of the session.
    ///
    /// - Parameter digest: the `Intent.digest` that was admitted.
    func willSendSignature(of digest: [UInt8]) async
}

/// An authorizer that admits only the intent that the user confirmed, and then asks another authorizer.
package struct ConfirmedIntent: SigningAuthorizer {
    private let digest: [UInt8]
    private let authorizer: any SigningAuthorizer

    /// - Parameter digest: the `Intent.digest` that the user confirmed, known to the participant's owner and not from
    ///   the coordinator.
    package init(_ digest: [UInt8], asking authorizer: any SigningAuthorizer) {
        self.digest = digest
        self.authorizer = authorizer
    }

    package func admit(_ payload: SigningPayload, meaning intent: Intent) async throws(CeremonyError) {
        guard intent.digest == digest else { throw .notWhatWasConfirmed }
        try await authorizer.admit(payload, meaning: intent)
    }

    package func willSendSignature(of digest: [UInt8]) async { await authorizer.willSendSignature(of: digest) }
}
