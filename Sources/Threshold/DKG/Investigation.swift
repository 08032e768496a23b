internal import Curves

extension DKG {
    /// A participant whose share came out wrong: with the coordinator's help it finds out who made it so.
    ///
    /// The session is over. This is for knowing whom to leave out of the next.
    public struct Investigation<Suite: Ciphersuite>: Equatable, Sendable {
        private let transcript: Transcript<Suite>
        private let index: ParticipantIndex

        init(transcript: Transcript<Suite>, index: ParticipantIndex) {
            self.transcript = transcript
            self.index = index
        }

        /// Who is to blame (ChillDKG `participant_investigate`).
        ///
        /// - Parameter message: what ``Coordinator/investigation(for:)`` made for this participant.
        /// - Returns: ``DKG/Fault/suspect(_:)`` or ``DKG/Fault/coordinator``.
        /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/foreignHostKey``.
        public func verdict(
            on message: [UInt8], hostKey: borrowing HostKey<Suite>
        ) throws(ThresholdError) -> Fault {
            let session = transcript.session
            guard hostKey.publicKey == session.hostKey(of: index) else { throw .keyGeneration(.foreignHostKey) }
            guard let parts = try? InvestigationMessage<Suite>(decoding: message, for: index, in: session) else {
                return .coordinator
            }
            // What the coordinator shows now must add up to what it said before.
            guard parts.publicShares.reduce(.identity, +) == transcript.sum.share(of: index),
                parts.encryptedShares.reduce(.zero, +) == transcript.encryptedShares[index.value - 1]
            else { return .coordinator }

            let pads = Pads(session: session)
            for sender in session.parameters.indices {
                let position = sender.value - 1
                let pad = try pads.pad(
                    from: sender, to: index, hostKey: hostKey, publicNonce: transcript.publicNonces[position])
                let share = SecretScalar(parts.encryptedShares[position]) - pad
                guard share.timesGenerator() == parts.publicShares[position] else {
                    // This participant's share to itself was right when it left.
                    return sender == index ? .coordinator : .suspect(sender)
                }
            }
            // All parts are right, and so would be their sum: what the coordinator says contradicts itself.
            return .coordinator
        }
    }
}
