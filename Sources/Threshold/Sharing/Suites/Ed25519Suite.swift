public import Curves
public import Secrets

extension Sharing {
    /// The suite of keys for Ed25519 signatures by RFC 9591. The hash and the tags are our own choice: see
    /// `docs/formats/sharing-messages.md`.
    public enum Ed25519: SchnorrCiphersuite {
        public typealias Group = Curves.Ed25519

        /// The beginning of each tag of this purpose.
        public static let domain = "Fueki DKG/"

        /// Returns the hash of a secret, without a tag.
        public static func digest(of secret: borrowing SecretBytes) -> SecretBytes {
            var hasher = SHA512()
            hasher.update(secret)
            return hasher.finalizeSecret()
        }

        public static func hash(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
            var hasher = hasher(tag)
            hasher.update(bytes)
            return hasher.finalize()
        }

        public static func hash(_ tag: String, secret: borrowing SecretBytes, _ bytes: [UInt8]) -> SecretBytes {
            var hasher = hasher(tag)
            hasher.update(secret)
            hasher.update(bytes)
            return hasher.finalizeSecret()
        }

        /// Returns BIP-340's tagged hash with SHA-512: the doubled hash of the tag fills one block.
        private static func hasher(_ tag: String) -> SHA512 {
            let prefix = SHA512.hash(Array((domain + tag).utf8))
            var hasher = SHA512()
            hasher.update(prefix)
            hasher.update(prefix)
            return hasher
        }
    }
}
