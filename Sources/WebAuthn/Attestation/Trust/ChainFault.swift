/// The reasons why certificates lead to no anchor. Positions count from the attesting certificate, which is 0.
public enum ChainFault: Error, Equatable, Sendable {
    /// None of the certificates is an anchor, and none was issued by one.
    case noAnchor
    /// The certificate is outside its validity.
    case validity(position: Int)
    /// The certificate is not signed by the next one, names another issuer, or is signed with SHA-1.
    case signature(position: Int)
    /// The certificate issues another, and is not an authority, or not for a path of this length.
    case notAnAuthority(position: Int)
    /// The attesting certificate has a key that must not sign data.
    case keyUsage
    /// The certificate has an unknown critical extension.
    case criticalExtension(position: Int)
    /// Google's list has the certificate as revoked or suspended: ``AndroidRevocationList``.
    case revoked(position: Int)
    /// The statement has a SHA-1 signature, which the policy does not trust.
    case weakHash
}
