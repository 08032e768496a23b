internal import X509

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

    /// How metadata are used.
    public struct MetadataUse: Sendable {
        public var blob: MetadataBLOB
        /// Whether a model has to be there, and the metadata in date.
        public var isRequired: Bool
        /// A model of which one of these was reported is refused.
        public var refusedStatuses: Set<MetadataStatus>

        public init(
            _ blob: MetadataBLOB, isRequired: Bool, refusedStatuses: Set<MetadataStatus> = MetadataStatus.compromised
        ) {
            self.blob = blob
            self.isRequired = isRequired
            self.refusedStatuses = refusedStatuses
        }
    }

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
        case accepted(AttestationTrust)
        case refused(Refusal)
    }

    /// Why an attestation is not taken.
    public enum Refusal: Equatable, Sendable {
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
    /// - Parameter time: milliseconds since 1970 UTC.
    public func decision(on attestation: Attestation, at time: Int64) -> Decision {
        guard formats.contains(attestation.format) else { return .refused(.format) }
        guard !deniedModels.contains(attestation.aaguid) else { return .refused(.model) }
        let entries = metadata?.blob.entries(for: attestation) ?? []
        if let metadata {
            if let refusal = metadata.refusal(of: attestation, entries, at: time) { return .refused(refusal) }
        }
        let trust = trust(in: attestation, entries, at: time)
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
            do {
                let anchor = try CertificatePath(certificates: certificates).anchor(
                    among: anchors, handling: attestation.format.handledExtensions, at: time)
                return .anchored(anchor, provesModel: !known.isEmpty || attestation.namesModelItself)
            } catch { return .untrusted(error) }
        }
    }
}

extension AttestationPolicy.MetadataUse {
    fileprivate func refusal(
        of attestation: Attestation, _ entries: [MetadataEntry], at time: Int64
    ) -> AttestationPolicy.Refusal? {
        // Also of a statement that proves nothing: whoever says that he is a broken model is believed.
        for entry in entries {
            let status = entry.reports.first { report in
                refusedStatuses.contains(report.status) && report.concerns(attestation, at: time)
            }
            if let status { return .status(status.status) }
        }
        guard isRequired else { return nil }
        if blob.isOutOfDate(at: time) { return .metadataOutOfDate }
        return entries.isEmpty ? .unknownModel : nil
    }
}

extension Attestation {
    /// Whether the model was said by the one who signed, so that trust in him is trust in it.
    ///
    /// With `packed` the authenticator itself signs its data. What a TPM, Android or Apple attest is a hash of the
    /// software's making, and a signature of U2F does not have the model at all; then the certificate has to name it.
    fileprivate var namesModelItself: Bool {
        guard case .certified(let certificates) = kind else { return false }
        switch format {
        case .packed: return true
        case .tpm: return certificates.first?.extensions[oid: AAGUIDExtension.identifier] != nil
        case .none, .androidKey, .apple, .fidoU2F: return false
        }
    }
}
