public import Curves

extension DKG {
    /// ChillDKG for BIP-340 signatures, exactly as in the BIP draft.
    public enum BIP340: SchnorrCiphersuite {
        public typealias Group = Secp256k1

        /// The beginning of each tag of this key generation.
        public static let domain = "BIP DKG/"

        /// Returns the taproot tweak without a script tree (BIP-341). A participant could choose its contribution so
        /// that the sum commits to a script, and then spend by that script; after this tweak the key commits to no
        /// script.
        public static func tweak(of publicKey: Secp256k1.Point) -> Scalar<Secp256k1>? {
            Scalar(reducing: Curves.BIP340.taggedHash("TapTweak", publicKey.xOnly))
        }
    }
}
