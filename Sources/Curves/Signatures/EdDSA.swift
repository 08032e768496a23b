internal import CSodium

/// Signatures by Ed25519 (RFC 8032, 5.1).
public enum EdDSA {
    /// The size of a signature in bytes: the nonce's point, and the scalar.
    public static let signatureSize = 64

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
