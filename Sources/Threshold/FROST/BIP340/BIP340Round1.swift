public import Curves
public import Secrets

extension FROST.BIP340 {
    /// Round 1: each signer commits to fresh nonces.
    public enum Round1 {
        /// Makes the nonces of one signature (BIP-445, NonceGen). Send the result's `commitment`; keep the rest in memory
        /// until ``Round2/sign(_:with:nonces:)`` uses it up.
        ///
        /// The nonces come from 32 random bytes, hashed with the secret share and the key: if the randomness is guessed, the
        /// share still keeps them secret.
        ///
        /// - Warning: if it repeats, so do the nonces, and two signatures with them give the share away. Where the message is
        ///   known already, use ``commit(_:to:in:random:)``.
        public static func commit(_ share: borrowing KeyShare<Secp256k1>, random: some RandomSource) -> SigningNonces {
            commit(share, message: nil, extra: [], random: random)
        }

        /// Makes the nonces of one signature, of a message that this signer has agreed to sign (BIP-445, NonceGen with `m` and
        /// `extra_in`).
        ///
        /// As ``commit(_:random:)``; and if the randomness repeats, as that of a machine does which was set back to a snapshot,
        /// the nonces are still others for another message or session.
        ///
        /// - Parameter session: what names the session, or nothing.
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
