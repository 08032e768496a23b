extension DKG {
    /// The result of step 2: a share that waits for its activation, or a wrong share.
    public enum Reception<Suite: Ciphersuite>: ~Copyable, Sendable {
        /// The contributions are consistent: the share exists, and waits for the certificate.
        case pending(PendingShare<Suite>)
        /// The share does not match the commitments: an investigation finds the culprit.
        case wrongShare(Investigation<Suite>)

        /// Returns the pending share, for callers that do not investigate.
        ///
        /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/wrongShare``.
        public consuming func share() throws(ThresholdError) -> PendingShare<Suite> {
            switch consume self {
            case .pending(let share): return share
            case .wrongShare: throw .keyGeneration(.wrongShare)
            }
        }
    }
}
