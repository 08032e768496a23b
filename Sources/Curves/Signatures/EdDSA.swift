internal import CSodium
public import Secrets

/// Ed25519 signatures (RFC 8032, 5.1).
public enum EdDSA {
    /// The size of a signature in bytes: the nonce's point, and the scalar.
    public static let signatureSize = 64

    /// The size of a private key in bytes. The scalar is a hash of it.
    public static let seedSize = 32

    /// Returns the public key of a private key (RFC 8032, 5.1.5), 32 bytes.
    ///
    /// - Parameter seed: the private key, ``seedSize`` bytes.
    public static func publicKey(ofSeed seed: borrowing SecretBytes) -> [UInt8] {
        precondition(seed.count == seedSize, "a private key has \(seedSize) bytes")
        Sodium.start()
        var publicKey = [UInt8](repeating: 0, count: Ed25519.pointSize)
        // The library's form of a private key: the seed followed by the public key.
        _ = SecretBytes(fleeting: Int(crypto_sign_secretkeybytes())) { pair in
            seed.withUnsafeBytes { _ = crypto_sign_seed_keypair(&publicKey, pair.start, $0.start) }
        }
        return publicKey
    }

    /// Signs a message. The signature has 64 bytes, and is the same for the same key and message (RFC 8032, 5.1.6).
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

    /// Returns whether the signature is valid, by libsodium's strict rules: standard forms only, and no keys of small
    /// order.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes.
    ///   - message: the message, of any size.
    ///   - publicKey: 32 bytes.
    public static func isValid(signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        signature.count == signatureSize && publicKey.count == Ed25519.pointSize
            && crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
}
