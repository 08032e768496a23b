public import X509

/// What an attestation statement proves, by itself: whom to trust is asked afterwards.
public struct Attestation: Equatable, Sendable {
    public let format: AttestationFormat
    public let kind: Kind
    /// The model, as the authenticator data have it. Believe it only if the certificates lead to a root that you trust.
    public let aaguid: AAGUID

    public init(format: AttestationFormat, kind: Kind, aaguid: AAGUID) {
        self.format = format
        self.kind = kind
        self.aaguid = aaguid
    }

    /// Whose signature it is (Level 3, section 6.5.3).
    public enum Kind: Equatable, Sendable {
        /// Nobody's.
        case none
        /// The credential's own: whoever made it has its private key, and that is all.
        case selfSigned
        /// Somebody's who has a certificate. The trust path: the certificate of the key that signed comes first, then
        /// those that the statement has above it; never empty. No certificate of them was verified.
        case certified([Certificate])
    }
}

/// The formats of attestation statements that this program reads (Level 3, section 8), by their registered names.
public enum AttestationFormat: String, Hashable, CaseIterable, Sendable {
    case none
    case packed
    case tpm
    case androidKey = "android-key"
    case apple
    case fidoU2F = "fido-u2f"
}
