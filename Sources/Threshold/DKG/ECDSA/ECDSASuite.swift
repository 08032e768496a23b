public import Curves

extension DKG {
    /// Keys for threshold ECDSA on secp256k1, which ``Sharing`` makes: hash and signatures as of ``BIP340``, in a domain of
    /// its own, so that no message, proof or signature of one kind of key means anything to the other.
    public enum ECDSA: Ciphersuite {
        public typealias Group = Secp256k1

        /// Begins each tag of this purpose.
        public static let domain = "Fueki ECDSA/"

        /// Nothing: a key of ECDSA commits to no script.
        public static func tweak(of publicKey: Secp256k1.Point) -> Scalar<Secp256k1>? { nil }
    }
}
