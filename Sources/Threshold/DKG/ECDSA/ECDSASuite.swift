public import Curves

extension DKG {
    /// The suite of keys for threshold ECDSA on secp256k1, which ``Sharing`` makes. Hash and signatures are those of
    /// ``BIP340``, in a domain of its own, so that messages, proofs and signatures of one purpose are invalid for the
    /// other.
    public enum ECDSA: Ciphersuite {
        public typealias Group = Secp256k1

        /// The beginning of each tag of this purpose.
        public static let domain = "Fueki ECDSA/"

        /// Returns nil: an ECDSA key commits to no script.
        public static func tweak(of publicKey: Secp256k1.Point) -> Scalar<Secp256k1>? { nil }
    }
}
