public import Secrets

/// An optional last round: each participant confirms that it keeps the recovery data, before any payment to the key.
extension DKG.RecoveryData {
    /// Confirms that this participant has the recovery data (ChillDKG `participant_recovery_ack_sign`).
    ///
    /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/foreignHostKey``.
    public func acknowledgement(
        hostKey: borrowing DKG.HostKey<Suite>, random: some RandomSource
    ) throws(ThresholdError) -> [UInt8] {
        guard let index = session.index(of: hostKey.publicKey) else { throw .keyGeneration(.foreignHostKey) }
        var writer = MessageWriter(.acknowledgement, in: session, participant: index)
        do {
            writer.bytes(
                try Suite.sign(
                    message(from: index), hostKey: hostKey.secret, auxiliary: SecretBytes(count: 32, from: random)))
        } catch { throw .invalidElement }
        return writer.bytes
    }

    /// Verifies that all participants have confirmed (ChillDKG `participant_recovery_acks_verify`).
    ///
    /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)`` or
    ///   ``ThresholdError/faulty(culprits:)``. None of them means that the key is bad.
    public func verify(acknowledgements: [ParticipantIndex: [UInt8]]) throws(ThresholdError) {
        let session = session
        let signatures = try session.decode(acknowledgements) { bytes, index throws(ThresholdError) in
            var reader = try MessageReader(bytes, .acknowledgement, in: session, participant: index)
            let signature = try reader.bytes(Suite.signatureSize)
            try reader.finish()
            return signature
        }
        let culprits = zip(session.parameters.indices, signatures).filter { index, signature in
            !Suite.isValid(signature: signature, message: message(from: index), hostKey: session.hostKey(of: index))
        }.map(\.0)
        guard culprits.isEmpty else { throw .faulty(culprits: culprits) }
    }

    private func message(from index: ParticipantIndex) -> [UInt8] {
        // The draft's recovery data, without our header.
        Suite.message("recovery acknowledgment", from: index, Array(encoded.dropFirst(3)))
    }
}
