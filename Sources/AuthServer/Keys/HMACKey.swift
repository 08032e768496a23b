internal import Crypto
internal import Secrets

/// A key for HMAC-SHA256. The server has one for each purpose. swift-crypto holds the key and wipes it.
struct HMACKey: Sendable {
    static let size = 32
    private let key: SymmetricKey

    init(_ secret: borrowing SecretBytes) {
        key = secret.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    /// Returns the code of a message: 32 bytes.
    func authenticate(_ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }

    /// Checks a code in constant time.
    func isValid(_ code: some Collection<UInt8>, for bytes: [UInt8]) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(Array(code), authenticating: bytes, using: key)
    }
}
