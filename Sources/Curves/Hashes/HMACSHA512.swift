internal import CSodium
public import Secrets

/// HMAC with SHA-512 (RFC 2104), on libsodium.
public enum HMACSHA512 {
    /// Returns the code of a message, in 64 bytes.
    ///
    /// - Parameter key: a public key of any size. It is not wiped.
    public static func code(key: [UInt8], message: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha512_state()
        crypto_auth_hmacsha512_init(&state, key, key.count)
        crypto_auth_hmacsha512_update(&state, message, UInt64(message.count))
        var code = [UInt8](repeating: 0, count: SHA512.size)
        crypto_auth_hmacsha512_final(&state, &code)
        return code
    }

    /// Returns the code of a secret message under a secret key, in 64 bytes.
    public static func code(key: borrowing SecretBytes, message: borrowing SecretBytes) -> SecretBytes {
        key.withUnsafeBytes { secretCode(key: $0, message) }
    }

    /// Returns the code of a secret message under a public key, with which standards such as BIP-32 derive their first
    /// key.
    public static func code(key: [UInt8], message: borrowing SecretBytes) -> SecretBytes {
        code(key: SecretBytes(fleeting: key.count) { $0.copyBytes(from: key) }, message: message)
    }

    private static func secretCode(key: UnsafeRawBufferPointer, _ message: borrowing SecretBytes) -> SecretBytes {
        SecretBytes(fleeting: SHA512.size) { code in
            // The state is in memory that is wiped: the library leaves the padded key in it.
            _ = SecretBytes(fleeting: MemoryLayout<crypto_auth_hmacsha512_state>.stride) { memory in
                guard let state = memory.bindMemory(to: crypto_auth_hmacsha512_state.self).baseAddress else {
                    preconditionFailure("a buffer without memory")
                }
                crypto_auth_hmacsha512_init(state, key.start, key.count)
                message.withUnsafeBytes { _ = crypto_auth_hmacsha512_update(state, $0.start, UInt64($0.count)) }
                crypto_auth_hmacsha512_final(state, code.start)
            }
        }
    }
}
