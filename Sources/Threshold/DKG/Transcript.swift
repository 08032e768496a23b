internal import Curves
internal import Secrets

extension DKG {
    /// The transcript, from which the key and the shares follow. All participants must have seen the same one, and sign
    /// it.
    struct Transcript<Suite: Ciphersuite>: Equatable, Sendable {
        let session: Session<Suite>
        /// The sum of all participants' polynomials, in the exponent, before the tweak.
        let sum: PolynomialCommitment<Suite.Group>
        /// The encoded public nonce of participant i, at i - 1. Kept as bytes: a nonce that is not a point is blamed
        /// later.
        let publicNonces: [[UInt8]]
        /// The sum of the encrypted shares for participant i, at i - 1.
        let encryptedShares: [Scalar<Suite.Group>]

        /// The draft's `eq_input`: threshold, polynomial, host keys, public nonces, encrypted shares.
        var encoded: [UInt8] {
            Suite.encode(session.parameters.threshold) + sum.coefficients.flatMap(\.encodedOrZeros)
                + session.context.dropFirst(4) + publicNonces.joined() + encryptedShares.flatMap(\.encoded)
        }

        /// Returns the public result of the session, and the tweak that was added at the end to the key and to each
        /// share.
        ///
        /// - Throws: ``ThresholdError/inconsistentKey`` if the polynomial does not give a valid key.
        func result() throws(ThresholdError) -> (group: GroupKey<Suite.Group>, tweak: Scalar<Suite.Group>) {
            guard !sum.constant.isIdentity else { throw .inconsistentKey }
            guard let tweak = Suite.tweak(of: sum.constant) else {
                return (try GroupKey(parameters: session.parameters, commitment: sum), .zero)
            }
            let constant = sum.constant + Suite.Group.Point.generator.multipliedVariableTime(by: tweak)
            let tweaked = PolynomialCommitment<Suite.Group>(
                uncheckedCoefficients: [constant] + sum.coefficients.dropFirst())
            return (try GroupKey(parameters: session.parameters, commitment: tweaked), tweak)
        }
    }
}

/// CertEq, the protocol by which participants verify that they saw the same: each signs its transcript, and the list of
/// all signatures is the certificate.
extension DKG.Transcript {
    func sign(
        as index: ParticipantIndex, _ hostKey: borrowing DKG.HostKey<Suite>, auxiliary: borrowing SecretBytes
    ) throws(ThresholdError) -> [UInt8] {
        do {
            return try Suite.sign(message(from: index), hostKey: hostKey.secret, auxiliary: auxiliary)
        } catch { throw .invalidElement }
    }

    /// Returns the participants whose signature is invalid, ascending; the signature of participant i is at i - 1.
    func culprits(signatures: [[UInt8]], leavingOut trusted: ParticipantIndex? = nil) -> [ParticipantIndex] {
        let encoded = encoded
        return zip(session.parameters.indices, signatures).filter { index, signature in
            index != trusted
                && !Suite.isValid(
                    signature: signature, message: Self.message(from: index, encoded),
                    hostKey: session.hostKey(of: index))
        }.map(\.0)
    }

    private func message(from index: ParticipantIndex) -> [UInt8] { Self.message(from: index, encoded) }

    private static func message(from index: ParticipantIndex, _ encoded: [UInt8]) -> [UInt8] {
        Suite.message("certeq message", from: index, encoded)
    }
}
