extension DKG {
    /// What step 2 comes to: a share that waits for its activation, or one that someone made wrong.
    public enum Reception<Suite: Ciphersuite>: ~Copyable, Sendable {
        /// The offers are consistent: the share is there, and waits for the certificate.
        case pending(PendingShare<Suite>)
        /// The own share does not match the commitments: an investigation finds the culprit.
        case wrongShare(Investigation<Suite>)

        /// The pending share, for those who do not investigate.
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
