public import Curves
public import Secrets

extension DKG {
    /// ChillDKG for BIP-340 signatures, as the BIP draft says, byte for byte.
    public enum BIP340: Ciphersuite {
        public typealias Group = Secp256k1

        /// Begins each tag of this key generation.
        public static let domain = "BIP DKG/"

        /// The hash of a secret, without a tag.
        public static func digest(of secret: borrowing SecretBytes) -> SecretBytes {
            var hasher = SHA256()
            hasher.update(secret)
            return hasher.finalizeSecret()
        }

        public static func hash(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
            Curves.BIP340.taggedHash(domain + tag, bytes)
        }

        public static func hash(_ tag: String, secret: borrowing SecretBytes, _ bytes: [UInt8]) -> SecretBytes {
            var hasher = Curves.BIP340.taggedHasher(domain + tag)
            hasher.update(secret)
            hasher.update(bytes)
            return hasher.finalizeSecret()
        }

        /// Signs with a host key.
        public static func sign(
            _ message: [UInt8], hostKey: borrowing SecretScalar<Secp256k1>, auxiliary: borrowing SecretBytes
        ) throws(CurvesError) -> [UInt8] {
            try Curves.BIP340.sign(
                message: message, key: hostKey, auxiliary: auxiliary.withUnsafeBytes { Array($0) })
        }

        /// The parity of the host key does not count here: the signed message holds all host keys, with their parities.
        public static func isValid(signature: [UInt8], message: [UInt8], hostKey: Secp256k1.Point) -> Bool {
            Curves.BIP340.isValid(signature: signature, message: message, publicKey: hostKey.xOnly)
        }

        /// The taproot tweak without a script tree (BIP-341). A participant could choose its contribution so that the sum
        /// is itself a commitment to a script, which it could then spend by; after this tweak it is one to no script.
        public static func tweak(of publicKey: Secp256k1.Point) -> Scalar<Secp256k1>? {
            Scalar(reducing: Curves.BIP340.taggedHash("TapTweak", publicKey.xOnly))
        }
    }
}
