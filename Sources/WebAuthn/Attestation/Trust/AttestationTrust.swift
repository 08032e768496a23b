/// Whose word an attestation is.
public enum AttestationTrust: Equatable, Sendable {
    /// Nobody's.
    case none
    /// The credential's own.
    case selfSigned
    /// Somebody's whose certificates lead to no anchor, and why.
    case untrusted(ChainFault)
    /// Somebody's whom the server trusts. Whether the model is as sure as that, `provesModel` says: the hardware or the
    /// certificate has to have said it, and not the software between.
    case anchored(TrustAnchor, provesModel: Bool)

    /// Which of the four.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// There is no attestation.
        case none
        /// The credential attests for itself.
        case selfSigned = "self"
        /// The certificates lead to no trusted one.
        case untrusted
        /// The certificates lead to a trusted one.
        case anchored
    }

    /// Which of the four.
    public var level: Level {
        switch self {
        case .none: .none
        case .selfSigned: .selfSigned
        case .untrusted: .untrusted
        case .anchored: .anchored
        }
    }
}
