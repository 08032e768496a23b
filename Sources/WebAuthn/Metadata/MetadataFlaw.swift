/// What is wrong with a file of metadata.
public enum MetadataFlaw: Error, Equatable, Sendable {
    /// Not in the form of FIDO Metadata Service 3, or larger than ``WebAuthnLimits/metadataBytes``.
    case malformed
    /// Signed by something else than ES256 or RS256, or by a key that is not of that kind.
    case unsupportedAlgorithm
    /// The signature is not one of the first certificate's key.
    case badSignature
    /// The certificates do not lead to the given root.
    case untrusted(ChainFault)
    /// The first certificate is somebody else's.
    case wrongSigner
    /// Older than metadata that were read before: by its number, and the number of those.
    case rolledBack(from: Int64)
}
