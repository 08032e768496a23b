/// The attestations that a relying party accepts. Level 3, section 7.1, steps 23 and 24, leave this to the relying
/// party.
///
/// ```swift
/// let attestation = try statement.verify(by: policy.rules)
/// switch policy.decision(on: attestation, at: now) {
/// case .accepted(let trust): …
/// case .refused(let reason): …
/// }
/// ```
public struct AttestationPolicy: Sendable {
    /// The accepted formats.
    public var formats: Set<AttestationFormat>
    /// The accepted levels of trust.
    public var levels: Set<AttestationTrust.Level>
    /// The anchors for each format, if the metadata have no certificates for the model.
    public var anchors: [AttestationFormat: [TrustAnchor]]
    /// The accepted models; nil for all. With a list, the model must be proven, because anyone can write sixteen bytes.
    public var allowedModels: Set<AAGUID>?
    /// The models that are never accepted, also if the model is only claimed.
    public var deniedModels: Set<AAGUID>
    /// The metadata about models, and their use.
    public var metadata: MetadataUse?
    /// The requirements that the specification leaves to the relying party.
    public var rules: AttestationRules
    /// Google's list of revoked certificates of Android. Without it no description of an Android key proves hardware:
    /// attestation keys have been stolen from devices, and are for sale.
    public var revocations: AndroidRevocationList?
    /// Whether a TPM's statement with a SHA-1 signature is trusted. ``AttestationRules/insecureSHA1OfTPMs`` says
    /// whether one is verified at all.
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

    /// Accepts every credential, with or without an attestation, as NIST SP 800-63B-4 advises for public services.
    public static let anything = AttestationPolicy(
        formats: Set(AttestationFormat.allCases), levels: Set(AttestationTrust.Level.allCases))

    /// The decision on an attestation.
    public enum Decision: Equatable, Sendable {
        /// The attestation is accepted, with this trust.
        case accepted(AttestationTrust)
        /// The attestation is refused, for this reason.
        case refused(Refusal)
    }

    /// The reasons to refuse an attestation.
    public enum Refusal: Equatable, Sendable {
        /// Its format is not among the accepted ones.
        case format
        /// The trust in the attestation is not enough.
        case trust(AttestationTrust)
        /// The model is denied, or is not among the allowed ones.
        case model
        /// Only some models are allowed, and the model is not proven.
        case unprovenModel
        /// The metadata do not have the model.
        case unknownModel
        /// The metadata are out of date.
        case metadataOutOfDate
        /// A report about the model has this status.
        case status(MetadataStatus)
    }

    /// Decides on a verified statement.
    ///
    /// - Parameters:
    ///   - time: the present time, in milliseconds since 1970 UTC: reports that take effect later do not count.
    ///   - signed: when the statement was made; nil for now. Certificates must have been valid then. Apple's are valid
    ///     for days, and their statements stay valid.
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
            // If the metadata have the model, another vendor's root is not accepted for it.
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
