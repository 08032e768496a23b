public import Curves
public import Secrets

/// Proofs of possession: BIP-340 signatures, except that their tags begin with the suite's domain and `pop message`, and not
/// with `BIP0340`.
extension Sharing.Ciphersuite where Group == Secp256k1 {
    private static var tag: String { "pop message" }

    /// Proves knowledge of a secret: see ``Sharing/Ciphersuite``.
    public static func provePossession(
        of secret: borrowing SecretScalar<Secp256k1>, publicKey: Secp256k1.Point, message: [UInt8],
        auxiliary: borrowing SecretBytes
    ) -> [UInt8] {
        // d: the secret of the point with an even y.
        let key = publicKey.hasEvenY ? secret.clone() : secret.negated()
        let keyBytes = key.encoded()
        let mask = hash("\(tag)/aux", secret: auxiliary, [])
        let masked = SecretBytes(count: keyBytes.count) { memory in
            keyBytes.withUnsafeBytes { key in
                mask.withUnsafeBytes { mask in
                    for offset in memory.indices { memory[offset] = key[offset] ^ mask[offset] }
                }
            }
        }
        let nonce = SecretScalar<Secp256k1>(
            reducing: hash("\(tag)/nonce", secret: masked, publicKey.xOnly + message))
        precondition(!nonce.isZero, "a hash that is zero modulo the group order: never seen")
        let commitment = nonce.timesGenerator()
        let challenge = challenge(commitment.xOnly, publicKey.xOnly, message)
        let answer = (commitment.hasEvenY ? nonce : nonce.negated()) + key * challenge
        return commitment.xOnly + answer.revealed().encoded
    }

    /// Returns whether such a proof is valid.
    public static func isProofOfPossession(
        _ proof: [UInt8], of publicKey: Secp256k1.Point, message: [UInt8]
    ) -> Bool {
        guard proof.count == signatureSize, !publicKey.isIdentity,
            let answer = try? Scalar<Secp256k1>(canonical: proof[32...])
        else { return false }
        let challenge = challenge(Array(proof[..<32]), publicKey.xOnly, message)
        // The proof is one for the point with this x and an even y, as in BIP-340.
        let key = publicKey.hasEvenY ? publicKey : -publicKey
        let commitment =
            Secp256k1.Point.generator.multipliedVariableTime(by: answer)
            - key.multipliedVariableTime(by: challenge)
        return !commitment.isIdentity && commitment.encoded == [2] + proof[..<32]
    }

    private static func challenge(
        _ commitment: [UInt8], _ publicKey: [UInt8], _ message: [UInt8]
    ) -> Scalar<Secp256k1> { Scalar(reducing: hash("\(tag)/challenge", commitment + publicKey + message)) }
}
