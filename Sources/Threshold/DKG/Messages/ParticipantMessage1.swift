package import Curves

extension DKG {
    /// Step 1, participant to coordinator: its polynomial in the exponent, a proof that it knows the secret, and the shares
    /// for all participants, encrypted.
    package struct ParticipantMessage1<Suite: Ciphersuite>: Equatable, Sendable {
        package var commitment: PolynomialCommitment<Suite.Group>
        package var proof: [UInt8]
        package var publicNonce: [UInt8]
        /// The share for participant i, at i - 1.
        package var encryptedShares: [Scalar<Suite.Group>]

        package func encoded(from index: ParticipantIndex, in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.participantMessage1, in: session, participant: index)
            for coefficient in commitment.coefficients { writer.pointOrIdentity(coefficient) }
            writer.bytes(proof)
            writer.bytes(publicNonce)
            for share in encryptedShares { writer.scalar(share) }
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidElement``, ``ThresholdError/wrongGroup`` or
        ///   ``ThresholdError/unknownParticipant(_:)``.
        package init(
            decoding bytes: [UInt8], from index: ParticipantIndex, in session: Session<Suite>
        ) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .participantMessage1, in: session, participant: index)
            commitment = PolynomialCommitment(
                uncheckedCoefficients: try reader.list(session.parameters.threshold) {
                    reader throws(ThresholdError) in try reader.pointOrIdentity()
                })
            proof = try reader.bytes(Suite.signatureSize)
            publicNonce = try reader.bytes(Suite.Group.pointSize)
            encryptedShares = try reader.list(session.parameters.total) { reader throws(ThresholdError) in
                try reader.scalar()
            }
            try reader.finish()
        }

        package init(
            commitment: PolynomialCommitment<Suite.Group>, proof: [UInt8], publicNonce: [UInt8],
            encryptedShares: [Scalar<Suite.Group>]
        ) {
            self.commitment = commitment
            self.proof = proof
            self.publicNonce = publicNonce
            self.encryptedShares = encryptedShares
        }
    }
}
