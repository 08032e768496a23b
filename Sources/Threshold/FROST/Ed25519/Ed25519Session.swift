package import Curves

extension FROST.Ed25519 {
    /// The values that follow from the session's public data, the same for all participants.
    package struct Session {
        let list: CommitmentList
        /// ρᵢ, in the order of the list: binds a signer's nonces to all commitments, the key and the message.
        package let bindingFactors: [Scalar<Curves.Ed25519>]
        /// R, the group commitment: the signature's nonce.
        package let nonce: Curves.Ed25519.Point
        /// c, the RFC 8032 challenge.
        let challenge: Scalar<Curves.Ed25519>

        /// - Throws: ``ThresholdError/faulty(culprits:)`` if the commitments cancel each other out, which only all
        ///   signers together can cause.
        package init(
            list: CommitmentList, publicKey: Curves.Ed25519.Point, message: [UInt8]
        ) throws(ThresholdError) {
            self.list = list
            let key = publicKey.encoded

            // 4.4, compute_binding_factors: ρᵢ = H1(key || H4(msg) || H5(encoded commitment list) || identifier)
            let prefix = key + Ciphersuite.h4(message) + Ciphersuite.h5(Self.encode(list))
            bindingFactors = list.signers.map { index in
                Ciphersuite.h1(prefix + index.scalar(in: Curves.Ed25519.self).encoded)
            }

            // 4.5, compute_group_commitment: R = Σ Dᵢ + ρᵢ·Eᵢ
            nonce = zip(list.commitments, bindingFactors).reduce(.identity) { sum, signer in
                sum + signer.0.hiding + signer.0.binding.multipliedVariableTime(by: signer.1)
            }

            // Without a nonce, the signature would be the challenge times the key.
            guard !nonce.isIdentity else { throw .faulty(culprits: list.signers) }

            // 4.6, compute_challenge: c = H2(R || key || msg)
            challenge = Ciphersuite.h2(nonce.encoded + key + message)
        }

        /// 4.3, encode_group_commitment_list: identifier, hiding and binding commitment of each, ascending.
        private static func encode(_ list: CommitmentList) -> [UInt8] {
            list.commitments.flatMap {
                $0.index.scalar(in: Curves.Ed25519.self).encoded + $0.hiding.encoded + $0.binding.encoded
            }
        }

        /// Returns λᵢ·c, the factor of a signer's share.
        private func coefficient(of index: ParticipantIndex) -> Scalar<Curves.Ed25519> {
            Lagrange.coefficient(of: index, among: list.signers) * challenge
        }

        /// 5.2, sign: zᵢ = dᵢ + ρᵢ·eᵢ + λᵢ·c·sᵢ
        ///
        /// - Throws: ``ThresholdError/unknownParticipant(_:)``, ``ThresholdError/ownCommitmentMismatch``.
        package func sign(
            with share: borrowing KeyShare<Curves.Ed25519>, nonces: consuming SigningNonces
        ) throws(ThresholdError) -> SignatureShare {
            try list.check(holds: nonces.commitment)
            let value = nonces.answer(
                bindingFactor: bindingFactor(of: share.index), coefficient: coefficient(of: share.index),
                secret: share.secret)
            return SignatureShare(index: share.index, value: value)
        }

        /// 5.4, verify_signature_share: zᵢ·G = Dᵢ + ρᵢ·Eᵢ + λᵢ·c·Sᵢ
        ///
        /// - Precondition: all three belong to the same signer, who is on the list.
        package func isValid(
            _ share: SignatureShare, commitment: Commitment, verificationShare: Curves.Ed25519.Point
        ) -> Bool {
            share.answers(
                commitment, bindingFactor: bindingFactor(of: share.index),
                coefficient: coefficient(of: share.index), verificationShare: verificationShare)
        }

        /// 5.3, aggregate: R || Σ zᵢ
        package func signature(sum: Scalar<Curves.Ed25519>) -> [UInt8] { nonce.encoded + sum.encoded }

        private func bindingFactor(of index: ParticipantIndex) -> Scalar<Curves.Ed25519> {
            zip(list.signers, bindingFactors).first { $0.0 == index }?.1 ?? .zero
        }
    }
}
