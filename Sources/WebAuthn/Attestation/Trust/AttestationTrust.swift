/// The trust in an attestation: which authority it leads to.
public enum AttestationTrust: Equatable, Sendable {
    /// The statement is missing, or proves nothing.
    case none
    /// The credential's own key signed the attestation.
    case selfSigned
    /// The certificates lead to no anchor, for this reason.
    case untrusted(ChainFault)
    /// The certificates lead to an anchor. `provesModel` says whether the model is proven, too: the hardware or the
    /// certificate must state it, not the software between.
    case anchored(TrustAnchor, provesModel: Bool)

    /// The four levels of trust.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// The attestation is missing.
        case none
        /// The credential attests for itself.
        case selfSigned = "self"
        /// The certificates lead to no trusted one.
        case untrusted
        /// The certificates lead to a trusted one.
        case anchored
    }

    /// The level of this trust.
    public var level: Level {
        switch self {
        case .none: .none
        case .selfSigned: .selfSigned
        case .untrusted: .untrusted
        case .anchored: .anchored
        }
    }
}
