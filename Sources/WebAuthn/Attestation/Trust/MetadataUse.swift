extension AttestationPolicy {
    /// How metadata are used.
    public struct MetadataUse: Sendable {
        /// The metadata.
        public var blob: MetadataBLOB
        /// Whether a model has to be there, and the metadata in date.
        public var isRequired: Bool
        /// A model of which one of these was reported is refused.
        public var refusedStatuses: Set<MetadataStatus>

        /// Creates the use of a file of metadata.
        public init(
            _ blob: MetadataBLOB, isRequired: Bool, refusedStatuses: Set<MetadataStatus> = MetadataStatus.compromised
        ) {
            self.blob = blob
            self.isRequired = isRequired
            self.refusedStatuses = refusedStatuses
        }
    }
}

extension AttestationPolicy.MetadataUse {
    /// Why the metadata speak against an attestation, of which these are the entries; nil if they do not.
    func refusal(
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
