public import Curves

extension Sharing {
    /// The suite of keys for threshold ECDSA on secp256k1. Hash and signatures are those of ``BIP340``, in a domain of
    /// its own, so that messages, proofs and signatures of one purpose are invalid for the other.
    public enum ECDSA: Ciphersuite {
        public typealias Group = Secp256k1

        /// The beginning of each tag of this purpose.
        public static let domain = "Fueki ECDSA/"
    }
}
