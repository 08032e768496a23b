package import Curves

extension DKG {
    /// Coordinator to a participant with a wrong share: what each participant sent to it, and the public parts of that.
    package struct InvestigationMessage<Suite: Ciphersuite>: Equatable, Sendable {
        /// The share from participant i, at i - 1.
        package var encryptedShares: [Scalar<Suite.Group>]
        package var publicShares: [Suite.Group.Point]

        init(encryptedShares: [Scalar<Suite.Group>], publicShares: [Suite.Group.Point]) {
            self.encryptedShares = encryptedShares
            self.publicShares = publicShares
        }

        package func encoded(for index: ParticipantIndex, in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.investigationMessage, in: session, participant: index)
            for share in encryptedShares { writer.scalar(share) }
            for share in publicShares { writer.pointOrIdentity(share) }
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidElement``, ``ThresholdError/wrongGroup`` or
        ///   ``ThresholdError/unknownParticipant(_:)``.
        package init(
            decoding bytes: [UInt8], for index: ParticipantIndex, in session: Session<Suite>
        ) throws(ThresholdError) {
            let total = session.parameters.total
            var reader = try MessageReader(bytes, .investigationMessage, in: session, participant: index)
            encryptedShares = try reader.list(total) { reader throws(ThresholdError) in try reader.scalar() }
            publicShares = try reader.list(total) { reader throws(ThresholdError) in try reader.pointOrIdentity() }
            try reader.finish()
        }
    }
}
