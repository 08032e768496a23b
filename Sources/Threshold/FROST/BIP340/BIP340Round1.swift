public import Curves
public import Secrets

extension FROST.BIP340 {
    /// Round 1: each signer commits to fresh nonces.
    public enum Round1 {
        /// Makes the nonces of one signature (BIP-445, NonceGen). Send the result's `commitment`; keep the rest in
        /// memory until ``Round2/sign(_:with:nonces:)`` consumes it.
        ///
        /// The nonces come from 32 random bytes, hashed with the secret share and the key: if an attacker guesses the
        /// randomness, the share still keeps them secret.
        ///
        /// - Warning: If the randomness repeats, so do the nonces, and two signatures with them reveal the share. If
        ///   the message is already known, use ``commit(_:to:in:random:)``.
        public static func commit(_ share: borrowing KeyShare<Secp256k1>, random: some RandomSource) -> SigningNonces {
            commit(share, message: nil, extra: [], random: random)
        }

        /// Makes the nonces of one signature, for a message that this signer has agreed to sign (BIP-445, NonceGen with
        /// `m` and `extra_in`).
        ///
        /// It works like ``commit(_:random:)``. In addition, if the randomness repeats, as on a machine that is
        /// restored from a snapshot, the nonces still differ for another message or session.
        ///
        /// - Parameter session: the name of the session, or empty.
        public static func commit(
            _ share: borrowing KeyShare<Secp256k1>, to message: [UInt8], in session: [UInt8],
            random: some RandomSource
        ) -> SigningNonces {
            commit(share, message: message, extra: session, random: random)
        }

        private static func commit(
            _ share: borrowing KeyShare<Secp256k1>, message: [UInt8]?, extra: [UInt8], random: some RandomSource
        ) -> SigningNonces {
            let context = NonceContext(
                publicShare: share.verificationShare.encoded, xOnlyKey: share.group.publicKey.xOnly,
                message: message, extra: extra)
            let seed = seed(secret: share.secret) { random.fill($0) }
            return nonces(index: share.index, seed: seed, context: context)
        }
    }
}
