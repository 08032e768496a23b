public import Curves
public import Secrets

extension Sharing {
    /// The purpose of a key, with everything that differs between purposes: the group, the hash, and the signatures.
    ///
    /// The suites are ``BIP340``, ``ECDSA`` and ``Ed25519``. The functions belong to the protocol, and are useless
    /// outside it.
    public protocol Ciphersuite: Sendable {
        associatedtype Group: Curve

        /// The beginning of each tag and each signed message, so that they are valid only here.
        static var domain: String { get }

        /// Returns the hash of a secret, without a tag.
        static func digest(of secret: borrowing SecretBytes) -> SecretBytes

        /// Returns the tagged hash of public bytes.
        static func hash(_ tag: String, _ bytes: [UInt8]) -> [UInt8]

        /// Returns the tagged hash of a secret and the public bytes after it: uniform when reduced modulo the group
        /// order.
        static func hash(_ tag: String, secret: borrowing SecretBytes, _ bytes: [UInt8]) -> SecretBytes

        /// Proves knowledge of a secret, by a signature under tags with no other use. 64 bytes.
        static func provePossession(
            of secret: borrowing SecretScalar<Group>, publicKey: Group.Point, message: [UInt8],
            auxiliary: borrowing SecretBytes
        ) -> [UInt8]

        /// Returns whether the proof was made with the secret of this point. The identity has none.
        static func isProofOfPossession(_ proof: [UInt8], of publicKey: Group.Point, message: [UInt8]) -> Bool

        /// Signs with a host key. 64 bytes.
        static func sign(
            _ message: [UInt8], hostKey: borrowing SecretScalar<Group>, auxiliary: borrowing SecretBytes
        ) throws(CurvesError) -> [UInt8]

        static func isValid(signature: [UInt8], message: [UInt8], hostKey: Group.Point) -> Bool
    }

    /// A suite whose keys ``FROST`` signs with. Its shares are of type `KeyShare`; the share of an ECDSA key has
    /// another type, which FROST does not take.
    public protocol SchnorrCiphersuite: Ciphersuite {}
}

extension Sharing.Ciphersuite {
    /// Encodes a number in four bytes, big-endian, as in every hash.
    static func encode(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Encodes a participant's index: in hashes, its number from 0.
    static func encode(_ index: ParticipantIndex) -> [UInt8] { encode(index.value - 1) }

    /// Returns a message to be signed: the purpose in 33 bytes, padded with zeros (as BIP-340 advises), the signer, and
    /// the content.
    package static func message(_ purpose: String, from index: ParticipantIndex, _ content: [UInt8]) -> [UInt8] {
        message(purpose) + encode(index) + content
    }

    /// Returns the first 33 bytes of a message to be signed.
    static func message(_ purpose: String) -> [UInt8] {
        let prefix = Array((domain + purpose).utf8)
        precondition(prefix.count <= 33, "a purpose that is too long to tell apart from others")
        return prefix + [UInt8](repeating: 0, count: 33 - prefix.count)
    }

    /// The size of a signature and of a proof of possession, in all suites.
    package static var signatureSize: Int { 64 }
}
