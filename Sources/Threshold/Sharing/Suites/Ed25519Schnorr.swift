public import Curves
public import Secrets

/// Schnorr signatures in the group of Ed25519, as R || z with z·B = R + c·A. They serve as proofs of possession and as
/// host-key signatures.
///
/// They differ from RFC 8032 in the hash, whose tag separates the two uses from each other and from signatures
/// elsewhere.
extension Sharing.Ed25519 {
    /// Proves knowledge of a secret: see ``Sharing/Ciphersuite``.
    public static func provePossession(
        of secret: borrowing SecretScalar<Group>, publicKey: Group.Point, message: [UInt8],
        auxiliary: borrowing SecretBytes
    ) -> [UInt8] {
        sign(message, "pop message", key: secret, publicKey: publicKey, auxiliary: auxiliary)
    }

    /// Returns whether such a proof is valid.
    public static func isProofOfPossession(_ proof: [UInt8], of publicKey: Group.Point, message: [UInt8]) -> Bool {
        isValid(proof, message, "pop message", publicKey: publicKey)
    }

    /// Signs with a host key.
    public static func sign(
        _ message: [UInt8], hostKey: borrowing SecretScalar<Group>, auxiliary: borrowing SecretBytes
    ) throws(CurvesError) -> [UInt8] {
        guard !hostKey.isZero else { throw .zero }
        return sign(
            message, "host signature", key: hostKey, publicKey: hostKey.timesGenerator(), auxiliary: auxiliary)
    }

    /// Returns whether a host key's signature is valid.
    public static func isValid(signature: [UInt8], message: [UInt8], hostKey: Group.Point) -> Bool {
        isValid(signature, message, "host signature", publicKey: hostKey)
    }

    private static func sign(
        _ message: [UInt8], _ tag: String, key: borrowing SecretScalar<Group>, publicKey: Group.Point,
        auxiliary: borrowing SecretBytes
    ) -> [UInt8] {
        // The nonce depends on the key, the message and fresh randomness: it stays secret if the randomness fails, and
        // differs for each message.
        let seed = SecretBytes.joining(key.encoded(), auxiliary)
        let nonce = SecretScalar<Group>(
            reducing: hash("\(tag)/nonce", secret: seed, publicKey.encoded + message))
        precondition(!nonce.isZero, "a hash that is zero modulo the group order: never seen")
        let commitment = nonce.timesGenerator().encoded
        let challenge = challenge(tag, commitment, publicKey, message)
        return commitment + (nonce + key * challenge).revealed().encoded
    }

    private static func isValid(
        _ signature: [UInt8], _ message: [UInt8], _ tag: String, publicKey: Group.Point
    ) -> Bool {
        guard signature.count == signatureSize, !publicKey.isIdentity,
            let answer = try? Scalar<Group>(canonical: signature[32...])
        else { return false }
        let commitment = Array(signature[..<32])
        let challenge = challenge(tag, commitment, publicKey, message)
        let expected =
            Group.Point.generator.multipliedVariableTime(by: answer)
            - publicKey.multipliedVariableTime(by: challenge)
        return !expected.isIdentity && expected.encoded == commitment
    }

    private static func challenge(
        _ tag: String, _ commitment: [UInt8], _ publicKey: Group.Point, _ message: [UInt8]
    ) -> Scalar<Group> { Scalar(reducing: hash("\(tag)/challenge", commitment + publicKey.encoded + message)) }
}
