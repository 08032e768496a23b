public import X509

/// What an attestation statement proves, by itself: whom to trust is asked afterwards.
public struct Attestation: Equatable, Sendable {
    public let format: AttestationFormat
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
    case none
    case packed
    case tpm
    case androidKey = "android-key"
    case apple
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
