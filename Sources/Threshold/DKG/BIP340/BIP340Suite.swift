public import Curves

extension DKG {
    /// ChillDKG for BIP-340 signatures, as the BIP draft says, byte for byte.
    public enum BIP340: SchnorrCiphersuite {
        public typealias Group = Secp256k1

        /// Begins each tag of this key generation.
        public static let domain = "BIP DKG/"

        /// The taproot tweak without a script tree (BIP-341). A participant could choose its contribution so that the sum
        /// is itself a commitment to a script, which it could then spend by; after this tweak it is one to no script.
        public static func tweak(of publicKey: Secp256k1.Point) -> Scalar<Secp256k1>? {
            Scalar(reducing: Curves.BIP340.taggedHash("TapTweak", publicKey.xOnly))
        }
    }
}
