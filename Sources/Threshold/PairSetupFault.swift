extension ThresholdError {
    /// The errors of pairing for threshold ECDSA, beside those of all protocols.
    public enum PairSetupFault: Equatable, Sendable {
        /// The host key of this participant is not valid.
        case invalidHostKey(of: ParticipantIndex)
        /// Two participants have the same host key.
        case duplicateHostKey(of: ParticipantIndex, and: ParticipantIndex)
        /// The secret host key does not belong to the share's participant in this session.
        case foreignHostKey
        /// These two confirm different messages between them. One of them is faulty, and it is unknown which.
        case mismatch(between: ParticipantIndex, and: ParticipantIndex)
        /// The coordinator's message is not a certificate of this pairing.
        case coordinator
    }
}
