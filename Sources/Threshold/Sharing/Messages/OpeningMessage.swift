package import Curves

extension Sharing {
    /// A dealer's dealing: its polynomial in the exponent, proofs that it knows all coefficients, and the encrypted
    /// shares.
    package struct Opening<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        /// 32 random bytes that keep the committed values from being guessed.
        package var salt: [UInt8]
        package var polynomial: PolynomialCommitment<Suite.Group>
        /// The proofs: that of the coefficient of power k is at k.
        package var proofs: [[UInt8]]
        package var publicNonce: Suite.Group.Point
        /// The share for receiver i, at i - 1.
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

        /// Encodes the opening. The number of coefficients is written, and compared with the threshold later: a wrong
        /// number is another offence than unreadable bytes.
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

        /// Decodes an opening. The identity is refused as any coefficient: no dealer can prove that it knows its
        /// secret.
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
