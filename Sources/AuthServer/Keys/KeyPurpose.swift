internal import AuthAPI

/// What a key of the server is for, and how long it is used.
///
/// A key is made a day before it is used, so that every replica has it and the services that verify tokens have seen it.
enum KeyPurpose: String, CaseIterable, Sendable {
    /// Signs access tokens.
    case accessToken = "access_token"
    /// Tags refresh tokens.
    case refreshTag = "refresh_tag"
    /// Makes nonces for DPoP proofs.
    case proofNonce = "proof_nonce"
    /// Authenticates challenges.
    case challenge

    /// How long new things are made with it.
    static let period = Timestamp.Span.days(30)
    /// How long before that it is made.
    static let lead = Timestamp.Span.days(1)

    /// How long what it made may be used after the next key took over, with an hour for clocks that differ.
    func remainder(_ sessions: ServerConfiguration.SessionSettings) -> Timestamp.Span {
        let hour = Timestamp.Span.hours(1)
        switch self {
        case .accessToken, .proofNonce, .challenge: return hour
        case .refreshTag: return Timestamp.Span(milliseconds: sessions.lifetime.milliseconds + hour.milliseconds)
        }
    }
}
