public import Curves
public import Secrets

extension FROST.Ed25519 {
    /// Round 1: each signer commits to fresh nonces (RFC 9591, section 5.1).
    public enum Round1 {
        /// Makes the nonces of one signature. Send the result's `commitment`; keep the rest in memory until
        /// ``Round2/sign(_:with:nonces:)`` consumes it.
        ///
        /// - Warning: If the randomness repeats, so do the nonces, and two signatures with them reveal the share. If
        ///   the message is already known, use ``commit(_:to:in:random:)``.
        public static func commit(
            _ share: borrowing KeyShare<Curves.Ed25519>, random: some RandomSource
        ) -> SigningNonces {
            nonces(index: share.index, secret: share.secret, random: SecretBytes(count: 64, from: random))
        }

        /// Makes the nonces of one signature, for a message that this signer has agreed to sign.
        ///
        /// It works like ``commit(_:random:)``. In addition, if the randomness repeats, as on a machine that is
        /// restored from a snapshot, the nonces still differ for another message or another session's name. The random
        /// bytes of section 4.1 are a hash of 64 fresh bytes, the share, the message and the session.
        ///
        /// - Parameter session: the name of the session, or empty.
        public static func commit(
            _ share: borrowing KeyShare<Curves.Ed25519>, to message: [UInt8], in session: [UInt8],
            random: some RandomSource
        ) -> SigningNonces {
            var hasher = SHA512()
            hasher.update("Fueki FROST-ED25519/nonce randomness".utf8)
            hasher.update(SecretBytes(count: 64, from: random))
            hasher.update(share.secret.encoded())
            withUnsafeBytes(of: UInt64(message.count).bigEndian) { hasher.update($0) }
            hasher.update(message)
            hasher.update(session)
            return nonces(index: share.index, secret: share.secret, random: hasher.finalizeSecret())
        }
    }

    /// Returns both nonces (4.1, nonce_generate, twice): H3(32 random bytes
    ///
    /// secret share).
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
