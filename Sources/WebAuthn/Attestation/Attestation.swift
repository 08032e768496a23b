public import X509

/// The claims that an attestation statement proves. Whether its signer is trusted is decided afterwards.
public struct Attestation: Equatable, Sendable {
    /// The format of the statement.
    public let format: AttestationFormat
    /// The kind of the attestation.
    public let kind: Kind
    /// The model, as in the authenticator data. It is proven only if the certificates lead to a trusted root.
    public let aaguid: AAGUID
    /// The statement's claim about where the key is kept. It needs the same trust.
    let stated: StatedProtection

    /// Creates an attestation without a claim about where the key is kept.
    public init(format: AttestationFormat, kind: Kind, aaguid: AAGUID) {
        self.init(format: format, kind: kind, aaguid: aaguid, stated: .nothing)
    }

    init(format: AttestationFormat, kind: Kind, aaguid: AAGUID, stated: StatedProtection) {
        self.format = format
        self.kind = kind
        self.aaguid = aaguid
        self.stated = stated
    }

    /// The signer of the statement (Level 3, section 6.5.3).
    public enum Kind: Equatable, Sendable {
        /// The statement has no signature.
        case none
        /// The credential's own key signed: that proves possession of the private key, and nothing else.
        case selfSigned
        /// A certified key signed. The trust path: the certificate of that key comes first, then those above it in the
        /// statement, up to the first that this library cannot read; never empty. None of the certificates was
        /// verified.
        case certified([Certificate])
    }
}

/// The formats of attestation statements that this library reads (Level 3, section 8), by their registered names.
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
    /// Any other format, such as `compound` or `android-safetynet`. Its statement was not verified, and proves nothing.
    case unknown

    /// Returns the format of that name; nil if this library does not read it. Section 7.1, step 21: case matters.
    init?(name: String) {
        guard
            let format = Self.allCases.first(where: { $0 != .unknown && $0.rawValue.utf8.elementsEqual(name.utf8) })
        else { return nil }
        self = format
    }
}
