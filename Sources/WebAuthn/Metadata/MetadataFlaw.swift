/// An error in a file of metadata.
public enum MetadataFlaw: Error, Equatable, Sendable {
    /// The file does not have the form of FIDO Metadata Service 3, or is larger than ``WebAuthnLimits/metadataBytes``.
    case malformed
    /// The signature is not of ES256 or RS256, or the key has another kind.
    case unsupportedAlgorithm
    /// The signature is not by the first certificate's key.
    case badSignature
    /// The certificates do not lead to the given root.
    case untrusted(ChainFault)
    /// The first certificate has another name.
    case wrongSigner
    /// The file is older than metadata that were read before, whose number is given.
    case rolledBack(from: Int64)
}
