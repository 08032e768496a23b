/// The reason why a chain of certificates is refused.
enum ChainFlaw: Error, Equatable, Sendable {
    /// There are more or larger certificates than any server needs.
    case tooMany
    /// The server's certificate is missing, cannot be read, or has a key or a signature of an unsupported kind.
    case noCertificate
    /// No chain of signatures leads to a trusted authority, or a critical extension is unknown.
    case noPath
    /// A certificate of the chain is not valid at the time.
    case validity
    /// A certificate below the root has a version without extensions.
    case version
    /// An issuer is not a certificate authority.
    case notAuthority
    /// More authorities follow an issuer than it allows.
    case pathLength
    /// An issuer's key is not for certificates.
    case issuerUsage
    /// A certificate is not for servers.
    case purpose
    /// A signature could be forged.
    case weakSignature
    /// An extension cannot be read.
    case extensions
    /// The server's certificate names no host.
    case noNames
    /// The server's certificate names other hosts.
    case otherNames
    /// A certificate, or the host, has a name that an issuer excludes.
    case excludedName
    /// A certificate, or the host, has a name outside of those that an issuer permits.
    case notPermittedName
    /// An issuer constrains names of a form that cannot be compared, and a certificate has such a name.
    case incomparableName
    /// The names and constraints are too many to compare.
    case tooManyNames
    /// A certificate requires a proof that it is not revoked, which this client does not ask for.
    case stapleRequired

    /// The error for the client's user.
    var fault: TrustFault {
        switch self {
        case .tooMany, .tooManyNames: .tooManyCertificates
        case .validity: .expired
        case .otherNames: .wrongName
        case .excludedName, .notPermittedName, .incomparableName: .forbiddenName
        case .stapleRequired: .stapleRequired
        case .noCertificate, .noPath, .version, .notAuthority, .pathLength, .issuerUsage, .purpose, .weakSignature,
            .extensions, .noNames:
            .unknownAuthority
        }
    }
}
