internal import AuthAPI

/// The purpose of a server key, and its lifetime.
///
/// A key is made a day before it is used, so that every replica has it and the services that verify tokens have seen
/// it.
enum KeyPurpose: String, CaseIterable, Sendable {
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
    var isPermanent: Bool {
        switch self {
        case .accessToken, .refreshTag, .proofNonce, .challenge: false
        case .auditLog, .witness: true
        }
    }

    /// The time for which a key makes new tokens, nonces or challenges.
    static let period = Timestamp.Span.days(30)
    /// The time between the making of a key and its first use.
    static let lead = Timestamp.Span.days(1)

    /// Returns how long the products of a key are accepted after the next key took over, with an hour for clocks that
    /// differ.
    func remainder(_ sessions: ServerConfiguration.SessionSettings) -> Timestamp.Span {
        let hour = Timestamp.Span.hours(1)
        switch self {
        case .accessToken, .proofNonce, .challenge, .auditLog, .witness: return hour
        case .refreshTag: return Timestamp.Span(milliseconds: sessions.lifetime.milliseconds + hour.milliseconds)
        }
    }
}
