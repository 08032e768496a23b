package import Secrets
package import SecureStorage

package func secret(_ text: String) -> SecretBytes {
    var bytes = [UInt8](text.utf8)
    return SecretBytes(moving: &bytes)
}

/// Returns the text of a secret, for a test that knows it; nil for nil.
package func text(_ secret: consuming SecretBytes?) -> String? {
    guard let secret else { return nil }
    return secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

package func name(_ account: String, in service: String = "test") throws(SecureStorageError) -> ItemName {
    try ItemName(service: service, account: account)
}
