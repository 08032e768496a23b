public import Curves
public import Secrets

extension FROST.BIP340 {
    /// Round 1: each signer commits to fresh nonces.
    public enum Round1 {
        /// Makes the nonces of one signature (BIP-445, NonceGen). Send the result's `commitment`; keep the rest in memory
        /// until ``Round2/sign(_:with:nonces:)`` uses it up.
        ///
        /// The nonces come from 32 random bytes, hashed with the secret share and the key: if the randomness ever repeats or
        /// is guessed, the share still keeps them secret.
        public static func commit(_ share: borrowing KeyShare<Secp256k1>, random: some RandomSource) -> SigningNonces {
            let context = NonceContext(
                publicShare: share.verificationShare.encoded, xOnlyKey: share.group.publicKey.xOnly,
                message: nil, extra: [])
            let seed = seed(secret: share.secret) { random.fill($0) }
            return nonces(index: share.index, seed: seed, context: context)
        }
    }
}
