package import Time

/// The purpose of a server key, and its lifetime.
///
/// A key is made a day before it is used, so that every replica has it and the services that verify tokens have seen
/// it.
package enum KeyPurpose: String, CaseIterable, Sendable {
    /// Signs access tokens.
    case accessToken = "access_token"
    /// Tags refresh tokens.
    case refreshTag = "refresh_tag"
    /// Makes nonces for DPoP proofs.
    case proofNonce = "proof_nonce"
    /// Authenticates challenges.
    case challenge
    /// Signs the checkpoints of the servers' audit logs: each log has a key of its own, derived from this one.
    case auditLog = "audit_log"
    /// Signs as a witness of other logs.
    case witness

    /// Whether the key is never replaced: other programs know the public keys of logs and witnesses.
    package var isPermanent: Bool {
        switch self {
        case .accessToken, .refreshTag, .proofNonce, .challenge: false
        case .auditLog, .witness: true
        }
    }

    /// The time for which a key makes new tokens, nonces or challenges.
    package static let period = Timestamp.Span.days(30)
    /// The time between the making of a key and its first use.
    package static let lead = Timestamp.Span.days(1)
}
