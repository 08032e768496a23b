public import X509

/// What an attestation statement proves, by itself: whom to trust is asked afterwards.
public struct Attestation: Equatable, Sendable {
    /// The format of the statement.
    public let format: AttestationFormat
    /// What kind of attestation it is.
    public let kind: Kind
    /// The model, as the authenticator data have it. Believe it only if the certificates lead to a root that you trust.
    public let aaguid: AAGUID
    /// What the statement says of where the key lies. Believe it under the same condition.
    let stated: StatedProtection

    /// An attestation that says nothing of where the key lies.
    public init(format: AttestationFormat, kind: Kind, aaguid: AAGUID) {
        self.init(format: format, kind: kind, aaguid: aaguid, stated: .nothing)
    }

    init(format: AttestationFormat, kind: Kind, aaguid: AAGUID, stated: StatedProtection) {
        self.format = format
        self.kind = kind
        self.aaguid = aaguid
        self.stated = stated
    }

    /// Whose signature it is (Level 3, section 6.5.3).
    public enum Kind: Equatable, Sendable {
        /// Nobody's.
        case none
        /// The credential's own: whoever made it has its private key, and that is all.
        case selfSigned
        /// Somebody's who has a certificate. The trust path: the certificate of the key that signed comes first, then
        /// those that the statement has above it, up to the first that this program cannot read; never empty. No
        /// certificate of them was verified.
        case certified([Certificate])
    }
}

/// The formats of attestation statements that this program reads (Level 3, section 8), by their registered names.
public enum AttestationFormat: String, Hashable, CaseIterable, Sendable {
    /// No statement (section 8.7).
    case none
    /// The format of WebAuthn itself (section 8.2).
    case packed
    /// The format of a TPM (section 8.3).
    case tpm
    /// The format of Android's hardware-backed keys (section 8.4).
    case androidKey = "android-key"
    /// The format of Apple's anonymous attestation (section 8.8).
    case apple
    /// The format of FIDO U2F security keys (section 8.6).
    case fidoU2F = "fido-u2f"
    /// Any other format, such as `compound` or `android-safetynet`. A statement of it was not verified, and proves nothing.
    case unknown

    /// The format of that name; nil if this program does not read it. Section 7.1, step 21: case matters.
    init?(name: String) {
        guard
            let format = Self.allCases.first(where: { $0 != .unknown && $0.rawValue.utf8.elementsEqual(name.utf8) })
        else { return nil }
        self = format
    }
}
