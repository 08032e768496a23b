public import Curves
public import Secrets

extension FROST {
    /// Reserves memory for the nonces of a session, before they are made, because others decide how many inputs a
    /// session signs.
    ///
    /// - Parameter signatures: the number of signatures in the session, at least one. Keep the result as long as the
    ///   nonces.
    /// - Throws: ``ThresholdError/exhausted(_:)``.
    public static func admit(signatures: Int) throws(ThresholdError) -> SecretMemory.Admission {
        precondition(signatures >= 1, "a session that signs nothing")
        return try Threshold.admit(signatures * 2 * AdmittedSize.scalar, as: .session)
    }

    /// A signer's two secret nonces, for one signature.
    ///
    /// Two signatures with the same nonces reveal the share. So round 1 makes nonces and round 2 consumes them (the
    /// compiler refuses a second use), and they cannot be copied, encoded or stored: restoring a device from a snapshot
    /// restores none.
    public struct SigningNonces<Group: Curve>: ~Copyable, Sendable {
        let hiding: SecretScalar<Group>
        let binding: SecretScalar<Group>

        /// The message that the signer sends in round 1.
        public let commitment: Commitment<Group>

        init(index: ParticipantIndex, hiding: consuming SecretScalar<Group>, binding: consuming SecretScalar<Group>) {
            precondition(!hiding.isZero && !binding.isZero, "a hash that is zero modulo the group order: never seen")
            commitment = Commitment(
                index: index, hiding: hiding.timesGenerator(), binding: binding.timesGenerator())
            self.hiding = hiding
            self.binding = binding
        }

        /// Makes nonces from a published vector.
        ///
        /// - Throws: ``ThresholdError/invalidElement`` if one of them is zero.
        package init(
            forTestingIndex index: ParticipantIndex, hiding: consuming SecretScalar<Group>,
            binding: consuming SecretScalar<Group>
        ) throws(ThresholdError) {
            guard !hiding.isZero, !binding.isZero else { throw .invalidElement }
            self.init(index: index, hiding: hiding, binding: binding)
        }

        /// Returns the signer's answer, and consumes the nonces:  z = d + b·e + c·s
        ///
        /// where d and e are the hiding and the binding nonce and s is the secret share.
        ///
        /// - Parameters:
        ///   - bindingFactor: b, which depends on the whole session.
        ///   - coefficient: c, the challenge times the signer's Lagrange factor.
        consuming func answer(
            bindingFactor: Scalar<Group>, coefficient: Scalar<Group>, secret: borrowing SecretScalar<Group>
        ) -> Scalar<Group> {
            // The uniform d, which is used once, hides s in the sum, so the sum may become public.
            (hiding + binding * bindingFactor + secret * coefficient).revealed()
        }
    }
}
