package import Curves

extension Sharing {
    /// What a dealer deals: its polynomial in the exponent, proofs that it knows all of it, and the encrypted shares.
    package struct Opening<Suite: DKG.Ciphersuite>: Equatable, Sendable {
        /// 32 bytes that nobody can guess, and so not what lies under the commitment.
        package var salt: [UInt8]
        package var polynomial: PolynomialCommitment<Suite.Group>
        /// For the coefficient of power k at k.
        package var proofs: [[UInt8]]
        package var publicNonce: Suite.Group.Point
        /// For receiver i at i - 1.
        package var encryptedShares: [Scalar<Suite.Group>]

        package init(
            salt: [UInt8], polynomial: PolynomialCommitment<Suite.Group>, proofs: [[UInt8]],
            publicNonce: Suite.Group.Point, encryptedShares: [Scalar<Suite.Group>]
        ) {
            self.salt = salt
            self.polynomial = polynomial
            self.proofs = proofs
            self.publicNonce = publicNonce
            self.encryptedShares = encryptedShares
        }

        /// The number of coefficients is written, and checked against the threshold later: it is not the same offence as
        /// bytes that mean nothing.
        package func encoded(from dealer: Party, in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.opening, in: session, from: dealer)
            writer.bytes(salt)
            writer.count(polynomial.coefficients.count)
            for coefficient in polynomial.coefficients { writer.point(coefficient) }
            for proof in proofs { writer.bytes(proof) }
            writer.point(publicNonce)
            for share in encryptedShares { writer.scalar(share) }
            return writer.bytes
        }

        /// The identity is refused wherever it stands: nobody can show that it knows its secret.
        ///
        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidElement``, or ``ThresholdError/sharing(_:)``
        ///   with ``Fault/wrongSession`` or ``Fault/wrongSender``.
        package init(
            decoding bytes: [UInt8], from dealer: Party, in session: Session<Suite>
        ) throws(ThresholdError) {
            var reader = try MessageReader(bytes, .opening, in: session, from: dealer)
            salt = try reader.bytes(32)
            let count = try reader.count(0...ThresholdLimits.participants + 1)
            polynomial = PolynomialCommitment(
                uncheckedCoefficients: try reader.list(count) { reader throws(ThresholdError) in try reader.point() })
            proofs = try reader.list(count) { reader throws(ThresholdError) in try reader.bytes(Suite.signatureSize) }
            publicNonce = try reader.point()
            encryptedShares = try reader.list(session.parameters.total) { reader throws(ThresholdError) in
                try reader.scalar()
            }
            try reader.finish()
        }
    }
}
