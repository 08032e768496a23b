internal import SecretStoreTestSupport
internal import SecureStorage

@testable internal import Keyrings

/// Returns the text that the Secret Service has for an item.
func envelopeText(_ content: String, as name: ItemName, _ attributes: ItemAttributes) -> String {
    text(ItemEnvelope(secret(content), as: name, attributes: attributes).text) ?? ""
}

extension SecureStorageError {
    static func service(_ fault: BackendFault) -> SecureStorageError { .backend(.secretService, fault) }
    static func kernel(_ fault: BackendFault) -> SecureStorageError { .backend(.kernelKeyring, fault) }
}
