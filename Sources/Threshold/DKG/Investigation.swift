internal import Curves

extension DKG {
    /// A participant with a wrong share: with the coordinator's help it finds the culprit.
    ///
    /// The session is over. The result names the participant to leave out of the next one.
    public struct Investigation<Suite: Ciphersuite>: Equatable, Sendable {
        private let transcript: Transcript<Suite>
        private let index: ParticipantIndex

        init(transcript: Transcript<Suite>, index: ParticipantIndex) {
            self.transcript = transcript
            self.index = index
        }

        /// Returns the blame (ChillDKG `participant_investigate`).
        ///
        /// - Parameter message: the result of ``Coordinator/investigation(for:)`` for this participant.
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
            // The values that the coordinator shows now must add up to its earlier message.
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
                    // This participant's share for itself was right when it left.
                    return sender == index ? .coordinator : .suspect(sender)
                }
            }
            // All parts are right, so their sum should be, too: the coordinator contradicts itself.
            return .coordinator
        }
    }
}
