/// Which attestations a relying party takes. Level 3, section 7.1, steps 23 and 24, leave it to the relying party.
///
/// ```swift
/// let attestation = try statement.verify(by: policy.rules)
/// switch policy.decision(on: attestation, at: now) {
/// case .accepted(let trust): …
/// case .refused(let reason): …
/// }
/// ```
public struct AttestationPolicy: Sendable {
    /// The formats that are taken at all.
    public var formats: Set<AttestationFormat>
    /// Whose word is taken.
    public var levels: Set<AttestationTrust.Level>
    /// Whom to trust for statements of a format, if the metadata have no certificates for the model.
    public var anchors: [AttestationFormat: [TrustAnchor]]
    /// If there is such a list, only models on it are taken, and only if the model is proven: anyone can write sixteen
    /// bytes.
    public var allowedModels: Set<AAGUID>?
    /// Models that are never taken, whoever says that it is one of them.
    public var deniedModels: Set<AAGUID>
    /// What is known about models.
    public var metadata: MetadataUse?
    /// What a statement has to show where the specification leaves it to the relying party.
    public var rules: AttestationRules
    /// Google's list of revoked certificates of Android. Without it no description of an Android key says that hardware
    /// keeps the key: keys that attest have been stolen from devices, and are for sale.
    public var revocations: AndroidRevocationList?
    /// Whether a statement of a TPM that rests on SHA-1 is trusted. ``AttestationRules/insecureSHA1OfTPMs`` says whether
    /// one is verified at all.
    public var trustsSHA1OfTPMs = true

    /// Creates a policy.
    public init(
        formats: Set<AttestationFormat>, levels: Set<AttestationTrust.Level>,
        anchors: [AttestationFormat: [TrustAnchor]] = [:], allowedModels: Set<AAGUID>? = nil,
        deniedModels: Set<AAGUID> = [], metadata: MetadataUse? = nil, rules: AttestationRules = .strict
    ) {
        self.formats = formats
        self.levels = levels
        self.anchors = anchors
        self.allowedModels = allowedModels
        self.deniedModels = deniedModels
        self.metadata = metadata
        self.rules = rules
    }

    /// Takes every credential, with or without an attestation: what NIST SP 800-63B-4 advises for the public.
    public static let anything = AttestationPolicy(
        formats: Set(AttestationFormat.allCases), levels: Set(AttestationTrust.Level.allCases))

    /// What comes of an attestation.
    public enum Decision: Equatable, Sendable {
        /// The attestation is accepted, with this trust.
        case accepted(AttestationTrust)
        /// The attestation is refused, for this reason.
        case refused(Refusal)
    }

    /// Why an attestation is not taken.
    public enum Refusal: Equatable, Sendable {
        /// Its format is not among the accepted ones.
        case format
        /// Whose word it is, which is not enough.
        case trust(AttestationTrust)
        /// The model is denied, or is not one that is allowed.
        case model
        /// Only some models are allowed, and nothing proves that it is one of them.
        case unprovenModel
        /// The metadata do not have the model.
        case unknownModel
        /// The metadata should have been replaced by newer ones.
        case metadataOutOfDate
        /// Such a thing was reported of the model.
        case status(MetadataStatus)
    }

    /// Decides on a statement that was verified.
    ///
    /// - Parameters:
    ///   - time: now, in milliseconds since 1970 UTC: reports that take effect later do not count.
    ///   - signed: when the statement was made; nil is now. Certificates have to have been valid then. Apple's are valid for
    ///     days, and what one has attested stays attested.
    public func decision(on attestation: Attestation, at time: Int64, signed: Int64? = nil) -> Decision {
        guard formats.contains(attestation.format) else { return .refused(.format) }
        guard !deniedModels.contains(attestation.aaguid) else { return .refused(.model) }
        let entries = metadata?.blob.entries(for: attestation) ?? []
        if let metadata {
            if let refusal = metadata.refusal(of: attestation, entries, at: time) { return .refused(refusal) }
        }
        let trust = trust(in: attestation, entries, at: signed ?? time)
        guard levels.contains(trust.level) else { return .refused(.trust(trust)) }
        if let allowedModels {
            guard case .anchored(_, provesModel: true) = trust else { return .refused(.unprovenModel) }
            guard allowedModels.contains(attestation.aaguid) else { return .refused(.model) }
        }
        return .accepted(trust)
    }

    private func trust(
        in attestation: Attestation, _ entries: [MetadataEntry], at time: Int64
    ) -> AttestationTrust {
        switch attestation.kind {
        case .none: return .none
        case .selfSigned: return .selfSigned
        case .certified(let certificates):
            // Where the metadata know the model, no other vendor's root will do for it.
            let known = entries.flatMap(\.anchors)
            let anchors = known.isEmpty ? self.anchors[attestation.format] ?? [] : known
            do throws(ChainFault) {
                let anchor = try CertificatePath(certificates: certificates).anchor(
                    among: anchors, handling: attestation.format.handledExtensions, at: time)
                if attestation.format == .androidKey, let revocations {
                    try revocations.refuseRevoked(among: certificates)
                }
                guard trustsSHA1OfTPMs || !attestation.stated.hasWeakHash else { throw .weakHash }
                return .anchored(anchor, provesModel: attestation.provesModel(by: entries))
            } catch { return .untrusted(error) }
        }
    }
}
