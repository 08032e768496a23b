public import Curves
public import Secrets

extension FROST {
    /// Makes room for the nonces of a session, before they are made: for those who sign as many inputs as others ask for.
    ///
    /// - Parameter signatures: how many the session makes, at least one. Keep the result as long as the nonces.
    /// - Throws: ``ThresholdError/exhausted(_:)``.
    public static func admit(signatures: Int) throws(ThresholdError) -> SecretMemory.Admission {
        precondition(signatures >= 1, "a session that signs nothing")
        return try Threshold.admit(signatures * 2 * admittedScalar, as: .session)
    }

    /// A signer's two secret nonces, for one signature.
    ///
    /// Two signatures with the same nonces give the share away. So nonces are made by round 1, used up by round 2 (the
    /// compiler refuses a second use), and cannot be copied, encoded or stored: a snapshot of a device that is restored
    /// brings none back.
    public struct SigningNonces<Group: Curve>: ~Copyable, Sendable {
        let hiding: SecretScalar<Group>
        let binding: SecretScalar<Group>

        /// What the signer sends in round 1.
        public let commitment: Commitment<Group>

        init(index: ParticipantIndex, hiding: consuming SecretScalar<Group>, binding: consuming SecretScalar<Group>) {
            precondition(!hiding.isZero && !binding.isZero, "a hash that is zero modulo the group order: never seen")
            commitment = Commitment(
                index: index, hiding: hiding.timesGenerator(), binding: binding.timesGenerator())
            self.hiding = hiding
            self.binding = binding
        }

        /// Nonces that a published vector prescribes.
        ///
        /// - Throws: ``ThresholdError/invalidElement`` if one of them is zero.
        package init(
            forTestingIndex index: ParticipantIndex, hiding: consuming SecretScalar<Group>,
            binding: consuming SecretScalar<Group>
        ) throws(ThresholdError) {
            guard !hiding.isZero, !binding.isZero else { throw .invalidElement }
            self.init(index: index, hiding: hiding, binding: binding)
        }

        /// The signer's answer, which uses the nonces up:  z = d + b·e + c·s
        ///
        /// where d and e are the hiding and the binding nonce and s is the secret share.
        ///
        /// - Parameters:
        ///   - bindingFactor: b, which depends on the whole session.
        ///   - coefficient: c, the challenge times the signer's Lagrange factor.
        consuming func answer(
            bindingFactor: Scalar<Group>, coefficient: Scalar<Group>, secret: borrowing SecretScalar<Group>
        ) -> Scalar<Group> {
            // Hidden by d, which is uniform and used once, the sum tells nothing of s: it may become public.
            (hiding + binding * bindingFactor + secret * coefficient).revealed()
        }
    }
}
