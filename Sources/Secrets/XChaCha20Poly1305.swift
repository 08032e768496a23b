internal import CSodium

/// The sealing of messages that other parties deliver (RFC 8439 with the long nonces of draft-irtf-cfrg-xchacha).
public enum XChaCha20Poly1305 {
    /// The size of a key in bytes.
    public static let keySize = 32
    /// The size of a nonce in bytes: large enough to draw it at random for each message.
    public static let nonceSize = 24
    /// The number of bytes that sealing adds.
    public static let tagSize = 16

    /// Seals a message.
    ///
    /// - Parameters:
    ///   - key: ``keySize`` bytes.
    ///   - nonce: ``nonceSize`` bytes, never twice with one key.
    ///   - associatedData: data that are authenticated but not encrypted.
    public static func seal(
        _ message: [UInt8], key: borrowing SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        check(key, nonce)
        Sodium.start()
        return [UInt8](unsafeUninitializedCapacity: message.count + tagSize) { sealed, count in
            var size: UInt64 = 0
            key.withUnsafeBytes { key in
                guard let sealed = sealed.baseAddress, let key = key.bindMemory(to: UInt8.self).baseAddress else {
                    preconditionFailure("a buffer without memory")
                }
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    sealed, &size, message, UInt64(message.count), associatedData, UInt64(associatedData.count), nil,
                    nonce, key)
            }
            count = Int(size)
        }
    }

    /// Opens a message; returns nil if the message, the nonce or the associated data were changed, or the key is wrong.
    public static func open(
        _ sealed: some Collection<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]? {
        check(key, nonce)
        guard sealed.count >= tagSize else { return nil }
        Sodium.start()
        let sealed = Array(sealed)
        var isAuthentic = false
        let message = [UInt8](unsafeUninitializedCapacity: sealed.count - tagSize) { message, count in
            var size: UInt64 = 0
            let result = key.withUnsafeBytes { key -> Int32 in
                guard let key = key.bindMemory(to: UInt8.self).baseAddress else {
                    preconditionFailure("a buffer without memory")
                }
                return crypto_aead_xchacha20poly1305_ietf_decrypt(
                    message.baseAddress, &size, nil, sealed, UInt64(sealed.count), associatedData,
                    UInt64(associatedData.count), nonce, key)
            }
            isAuthentic = result == 0
            count = isAuthentic ? Int(size) : 0
        }
        return isAuthentic ? message : nil
    }

    private static func check(_ key: borrowing SecretBytes, _ nonce: [UInt8]) {
        precondition(key.count == keySize && nonce.count == nonceSize, "a key of 32 bytes and a nonce of 24 are needed")
    }
}
