public import Curves

extension Sharing {
    /// The suite of keys for BIP-340 signatures.
    public enum BIP340: SchnorrCiphersuite {
        public typealias Group = Secp256k1

        /// The beginning of each tag of this purpose.
        public static let domain = "BIP DKG/"
    }
}
