/// Who vouches for an attestation.
public enum AttestationTrust: Equatable, Sendable {
    /// There is no statement, or it proves nothing.
    case none
    /// The credential vouches for itself.
    case selfSigned
    /// The certificates lead to no anchor, for this reason.
    case untrusted(ChainFault)
    /// The certificates lead to an anchor. `provesModel` says whether the model is proven, too: the hardware or the
    /// certificate must state it, not the software between.
    case anchored(TrustAnchor, provesModel: Bool)

    /// The four levels of trust.
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
