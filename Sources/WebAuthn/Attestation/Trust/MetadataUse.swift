extension AttestationPolicy {
    /// The use of metadata in a policy.
    public struct MetadataUse: Sendable {
        /// The metadata.
        public var blob: MetadataBLOB
        /// Whether the model must be in the metadata, and the metadata must be up to date.
        public var isRequired: Bool
        /// The statuses that refuse a model.
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
    /// Returns why the metadata refuse an attestation with these entries; nil if they do not.
    func refusal(
        of attestation: Attestation, _ entries: [MetadataEntry], at time: Int64
    ) -> AttestationPolicy.Refusal? {
        // Also for a statement that proves nothing: a client that claims to be a broken model is believed.
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
