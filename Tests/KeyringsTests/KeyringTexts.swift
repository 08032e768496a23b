internal import Secrets
internal import SecureStorage

@testable internal import Keyrings

func secret(_ text: String) -> SecretBytes {
    var bytes = [UInt8](text.utf8)
    return SecretBytes(moving: &bytes)
}

/// Returns the text of a secret, for a test that knows it; nil for nil.
func text(_ secret: consuming SecretBytes?) -> String? {
    guard let secret else { return nil }
    return secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

func name(_ account: String, in service: String = "test") throws(SecureStorageError) -> ItemName {
    try ItemName(service: service, account: account)
}

/// Returns the text that the Secret Service has for an item.
func envelopeText(_ content: String, as name: ItemName, _ attributes: ItemAttributes) -> String {
    text(ItemEnvelope(secret(content), as: name, attributes: attributes).text) ?? ""
}

extension SecureStorageError {
    static func service(_ fault: BackendFault) -> SecureStorageError { .backend(.secretService, fault) }
    static func kernel(_ fault: BackendFault) -> SecureStorageError { .backend(.kernelKeyring, fault) }
}
