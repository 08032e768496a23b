/// Why certificates lead to no anchor. Positions count from the certificate that attests, which is 0.
public enum ChainFault: Error, Equatable, Sendable {
    /// None of the certificates is an anchor, and none was issued by one.
    case noAnchor
    /// Outside its time.
    case validity(position: Int)
    /// Not signed by the next certificate, or not by the name of it, or with SHA-1.
    case signature(position: Int)
    /// Issues a certificate, and is no authority, or not for so long a path.
    case notAnAuthority(position: Int)
    /// The certificate that attests has a key that must not sign data.
    case keyUsage
    /// A critical extension that is not known here.
    case criticalExtension(position: Int)
    /// Google's list has the certificate as revoked or suspended: ``AndroidRevocationList``.
    case revoked(position: Int)
    /// The statement rests on a signature with SHA-1, which the policy does not trust.
    case weakHash
}
