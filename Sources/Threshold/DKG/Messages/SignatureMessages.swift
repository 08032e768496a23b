internal import Curves

extension DKG {
    /// Step 2, participant to coordinator: its signature of the transcript.
    package struct ParticipantMessage2<Suite: Ciphersuite>: Equatable, Sendable {
        package var signature: [UInt8]

        package init(signature: [UInt8]) { self.signature = signature }

        package func encoded(from index: ParticipantIndex, in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.participantMessage2, in: session, participant: index)
            writer.bytes(signature)
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/wrongGroup`` or
        ///   ``ThresholdError/unknownParticipant(_:)``.
        package init(
            decoding bytes: [UInt8], from index: ParticipantIndex, in session: Session<Suite>
        ) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .participantMessage2, in: session, participant: index)
            signature = try reader.bytes(Suite.signatureSize)
            try reader.finish()
        }
    }

    /// Step 2, coordinator to all: the certificate, which is the signatures of all participants in their order.
    package struct CoordinatorMessage2<Suite: Ciphersuite>: Equatable, Sendable {
        package var signatures: [[UInt8]]

        package init(signatures: [[UInt8]]) { self.signatures = signatures }

        package func encoded(in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.coordinatorMessage2, in: session)
            for signature in signatures { writer.bytes(signature) }
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)`` or ``ThresholdError/wrongGroup``.
        package init(decoding bytes: [UInt8], in session: Session<Suite>) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .coordinatorMessage2, in: session)
            signatures = try reader.list(session.parameters.total) { reader throws(ThresholdError) in
                try reader.bytes(Suite.signatureSize)
            }
            try reader.finish()
        }
    }
}
