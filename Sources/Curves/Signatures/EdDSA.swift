internal import CSodium
public import Secrets

/// Signatures by Ed25519 (RFC 8032, 5.1).
public enum EdDSA {
    /// The size of a signature in bytes: the nonce's point, and the scalar.
    public static let signatureSize = 64

    /// The size of a private key in bytes, of which the scalar is hashed.
    public static let seedSize = 32

    /// The public key of a private one (RFC 8032, 5.1.5), 32 bytes.
    ///
    /// - Parameter seed: ``seedSize`` bytes.
    public static func publicKey(ofSeed seed: borrowing SecretBytes) -> [UInt8] {
        precondition(seed.count == seedSize, "a private key has \(seedSize) bytes")
        Sodium.start()
        var publicKey = [UInt8](repeating: 0, count: Ed25519.pointSize)
        // The library's private key: the seed, and the public key behind it.
        _ = SecretBytes(fleeting: Int(crypto_sign_secretkeybytes())) { pair in
            seed.withUnsafeBytes { _ = crypto_sign_seed_keypair(&publicKey, pair.start, $0.start) }
        }
        return publicKey
    }

    /// A signature, 64 bytes. The same for the same key and message (RFC 8032, 5.1.6).
    ///
    /// - Parameter seed: the private key, ``seedSize`` bytes.
    public static func sign(message: [UInt8], seed: borrowing SecretBytes) -> [UInt8] {
        precondition(seed.count == seedSize, "a private key has \(seedSize) bytes")
        Sodium.start()
        var publicKey = [UInt8](repeating: 0, count: Ed25519.pointSize)
        var signature = [UInt8](repeating: 0, count: signatureSize)
        _ = SecretBytes(fleeting: Int(crypto_sign_secretkeybytes())) { pair in
            seed.withUnsafeBytes { _ = crypto_sign_seed_keypair(&publicKey, pair.start, $0.start) }
            crypto_sign_detached(&signature, nil, message, UInt64(message.count), pair.start)
        }
        return signature
    }

    /// Whether the signature is valid, by libsodium's strict rules: standard forms only, and no keys of small order.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes.
    ///   - message: of any size.
    ///   - publicKey: 32 bytes.
    public static func isValid(signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        signature.count == signatureSize && publicKey.count == Ed25519.pointSize
            && crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
}
