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
            nonces(index: share.index, secret: share.secret, random: SecretBytes(count: 64, from: random))
        }
    }

    /// 4.1, nonce_generate, twice: H3(32 random bytes || secret share).
    ///
    /// - Parameter random: 32 bytes for the hiding nonce, and 32 for the binding nonce.
    package static func nonces(
        index: ParticipantIndex, secret: borrowing SecretScalar<Curves.Ed25519>, random: borrowing SecretBytes
    ) -> SigningNonces {
        let secret = secret.encoded()
        return SigningNonces(
            index: index, hiding: Ciphersuite.h3(random, 0..<32, secret),
            binding: Ciphersuite.h3(random, 32..<64, secret))
    }
}
