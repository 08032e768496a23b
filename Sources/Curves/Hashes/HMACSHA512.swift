internal import CSodium

/// HMAC with SHA-512 (RFC 2104), on libsodium.
public enum HMACSHA512 {
    /// The code of a message, in 64 bytes.
    ///
    /// - Parameter key: of any size, and public: it is not wiped.
    public static func code(key: [UInt8], message: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha512_state()
        crypto_auth_hmacsha512_init(&state, key, key.count)
        crypto_auth_hmacsha512_update(&state, message, UInt64(message.count))
        var code = [UInt8](repeating: 0, count: SHA512.size)
        crypto_auth_hmacsha512_final(&state, &code)
        return code
    }
}
