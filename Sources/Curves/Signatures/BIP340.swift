internal import CSecp256k1
internal import Secrets

/// Schnorr signatures for secp256k1 by a single key (BIP-340).
public enum BIP340 {
    /// The size of a signature in bytes: the nonce's x-coordinate, and the scalar.
    public static let signatureSize = 64

    /// Returns SHA256(SHA256(tag) || SHA256(tag) || parts), a hash for one purpose only (BIP-340, "Design").
    public static func taggedHash(_ tag: String, _ parts: [UInt8]...) -> [UInt8] {
        var hasher = taggedHasher(tag)
        for part in parts { hasher.update(part) }
        return hasher.finalize()
    }

    /// Returns a hasher whose input begins with the tag.
    public static func taggedHasher(_ tag: String) -> SHA256 {
        let prefix = SHA256.hash(Array(tag.utf8))
        var hasher = SHA256()
        hasher.update(prefix)
        hasher.update(prefix)
        return hasher
    }

    /// Returns whether the signature is valid. A value of the wrong size makes it invalid.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes.
    ///   - message: the message, of any size.
    ///   - xOnly: the x-coordinate of the public key, 32 bytes.
    public static func isValid(signature: [UInt8], message: [UInt8], publicKey xOnly: [UInt8]) -> Bool {
        let context = Secp256k1.Context.shared.pointer
        var key = secp256k1_xonly_pubkey()
        return signature.count == signatureSize && xOnly.count == 32
            && secp256k1_xonly_pubkey_parse(context, &key, xOnly) == 1
            && secp256k1_schnorrsig_verify(context, signature, message, message.count, &key) == 1
    }

    /// Signs, in constant time.
    ///
    /// - Parameters:
    ///   - message: the message, of any size.
    ///   - auxiliary: 32 random bytes, which protect against measurements; without them the signature is still secure.
    /// - Throws: ``CurvesError/zero`` for a key that is zero, ``CurvesError/wrongSize(expected:got:)``.
    public static func sign(
        message: [UInt8], key: borrowing SecretScalar<Secp256k1>, auxiliary: [UInt8]
    ) throws(CurvesError) -> [UInt8] {
        guard auxiliary.count == 32 else { throw .wrongSize(expected: 32, got: auxiliary.count) }
        guard !key.isZero else { throw .zero }
        let context = Secp256k1.Context.shared.pointer
        var signature = [UInt8](repeating: 0, count: signatureSize)
        // The library's key pair contains the key in the clear, so it is in guarded memory too.
        _ = SecretBytes(count: MemoryLayout<secp256k1_keypair>.size) { memory in
            guard let pair = memory.bindMemory(to: secp256k1_keypair.self).baseAddress else {
                preconditionFailure("a buffer without memory")
            }
            let isPair = key.bytes.withUnsafeBytes { secp256k1_keypair_create(context, pair, $0.start) }
            precondition(isPair == 1, "a key that is neither zero nor out of range was refused")
            var auxiliary = auxiliary
            auxiliary.withUnsafeMutableBytes { auxiliary in
                var parameters = secp256k1_schnorrsig_extraparams(
                    magic: (0xda, 0x6f, 0xb3, 0x8c), noncefp: nil, ndata: auxiliary.baseAddress)
                let isSigned = secp256k1_schnorrsig_sign_custom(
                    context, &signature, message, message.count, pair, &parameters)
                precondition(isSigned == 1, "a hash that is zero modulo the group order: never seen")
            }
        }
        return signature
    }
}
