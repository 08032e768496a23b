public import Curves
public import Secrets

extension Sharing {
    /// A participant's identity. It decrypts what other participants send, signs, and recovers the participant's
    /// shares.
    ///
    /// One host key serves any number of sessions. It must be kept for as long as any of their keys is in use.
    public struct HostKey<Suite: Ciphersuite>: ~Copyable, Sendable {
        package let secret: SecretScalar<Suite.Group>
        /// The public host key, by which other participants know this one. Encoded: 33 bytes on secp256k1, 32 on
        /// edwards25519.
        public let publicKey: Suite.Group.Point

        /// Makes a new host key.
        public init(from random: some RandomSource) {
            secret = SecretScalar(from: random)
            publicKey = secret.timesGenerator()
        }

        /// Reads a secret host key.
        ///
        /// - Parameter bytes: a scalar in 32 bytes.
        /// - Throws: ``ThresholdError/invalidElement`` if it does not have that size, is not below the group order, or
        ///   is zero.
        public init(decoding bytes: borrowing SecretBytes) throws(ThresholdError) {
            let secret: SecretScalar<Suite.Group>
            do { secret = try SecretScalar(canonical: bytes) } catch { throw .invalidElement }
            guard !secret.isZero else { throw .invalidElement }
            publicKey = secret.timesGenerator()
            self.secret = secret
        }

        /// Returns the secret scalar in 32 bytes.
        public borrowing func encoded() -> SecretBytes { secret.encoded() }
    }
}
