#if CURVES_LANDED
public import Curves
public import Secrets

extension FROST.Ed25519 {
    /// Round 1: each signer commits to fresh nonces (RFC 9591, section 5.1).
    public enum Round1 {
        /// Makes the nonces of one signature. Send the result's `commitment`; keep the rest in memory until
        /// ``Round2/sign(_:with:nonces:)`` uses it up.
        public static func commit(
            _ share: borrowing KeyShare<Curves.Ed25519>, random: some RandomSource
        ) -> SigningNonces {
            nonces(
                index: share.index, secret: share.secret,
                hidingRandom: SecretBytes(count: 32, from: random), bindingRandom: SecretBytes(count: 32, from: random))
        }
    }

    /// 4.1, nonce_generate, twice: H3(32 random bytes || secret share).
    package static func nonces(
        index: ParticipantIndex, secret: borrowing SecretScalar<Curves.Ed25519>,
        hidingRandom: borrowing SecretBytes, bindingRandom: borrowing SecretBytes
    ) -> SigningNonces {
        let secret = secret.encoded()
        return SigningNonces(
            index: index, hiding: Ciphersuite.h3(hidingRandom, secret), binding: Ciphersuite.h3(bindingRandom, secret))
    }
}
#endif
