public import Curves
public import Secrets

extension DKG {
    /// What a key is made for, and what the making of keys for different purposes differs in: the group, the hash, the
    /// signatures, and a last tweak.
    ///
    /// There are ``BIP340`` and ``Ed25519`` for ChillDKG, and besides these ``ECDSA`` for ``Sharing``. The functions are the
    /// protocols' own and of no use outside them.
    public protocol Ciphersuite: Sendable {
        associatedtype Group: Curve

        /// Begins each tag and each signed message, so that they mean something here only.
        static var domain: String { get }

        /// The hash, without a tag, of a secret.
        static func digest(of secret: borrowing SecretBytes) -> SecretBytes

        /// The tagged hash of public bytes.
        static func hash(_ tag: String, _ bytes: [UInt8]) -> [UInt8]

        /// The tagged hash of a secret and the public bytes after it: uniform when reduced modulo the group order.
        static func hash(_ tag: String, secret: borrowing SecretBytes, _ bytes: [UInt8]) -> SecretBytes

        /// Shows that one knows a secret: a signature under tags that are used for nothing else. 64 bytes.
        static func provePossession(
            of secret: borrowing SecretScalar<Group>, publicKey: Group.Point, message: [UInt8],
            auxiliary: borrowing SecretBytes
        ) -> [UInt8]

        /// Whether the proof is one, by whoever has the secret of this point. The identity has none.
        static func isProofOfPossession(_ proof: [UInt8], of publicKey: Group.Point, message: [UInt8]) -> Bool

        /// Signs with a host key. 64 bytes.
        static func sign(
            _ message: [UInt8], hostKey: borrowing SecretScalar<Group>, auxiliary: borrowing SecretBytes
        ) throws(CurvesError) -> [UInt8]

        static func isValid(signature: [UInt8], message: [UInt8], hostKey: Group.Point) -> Bool

        /// What is added to the key that the participants made, if anything.
        static func tweak(of publicKey: Group.Point) -> Scalar<Group>?
    }

    /// A suite whose keys ``FROST`` signs with. A share of one is a `KeyShare`; that of an ECDSA key has a type of its own, which
    /// FROST does not take.
    public protocol SchnorrCiphersuite: Ciphersuite {}
}

extension DKG.Ciphersuite {
    /// A number in four bytes, big-endian, as it stands in every hash.
    static func encode(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The draft numbers participants from 0, and shares lie at that number plus 1: our index.
    static func encode(_ index: ParticipantIndex) -> [UInt8] { encode(index.value - 1) }

    /// A message to be signed: the purpose in 33 bytes, filled up with zeros (as BIP-340 advises), who signs, and what.
    static func message(_ purpose: String, from index: ParticipantIndex, _ content: [UInt8]) -> [UInt8] {
        message(purpose) + encode(index) + content
    }

    /// The first 33 bytes of a message to be signed.
    static func message(_ purpose: String) -> [UInt8] {
        let prefix = Array((domain + purpose).utf8)
        precondition(prefix.count <= 33, "a purpose that is too long to tell apart from others")
        return prefix + [UInt8](repeating: 0, count: 33 - prefix.count)
    }

    /// Bytes of a signature and of a proof of possession, in both suites.
    static var signatureSize: Int { 64 }
}
