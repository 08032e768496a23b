public import Secrets

/// A secret to be stored, with its name and attributes: an element of a list, which a noncopyable `SecretBytes` cannot
/// be. See ``VaultFile/saveAll(_:deleting:)``.
public struct UnsavedItem: Sendable {
    /// Shared by the copies of the item, so that there is one secret to wipe.
    final class Content: Sendable {
        let secret: SecretBytes
        init(_ secret: consuming SecretBytes) { self.secret = secret }
    }

    /// The item's future name.
    public let name: ItemName
    /// The item's future attributes.
    public let attributes: ItemAttributes
    let content: Content

    /// Creates an item for a store to keep.
    public init(_ secret: consuming SecretBytes, as name: ItemName, attributes: ItemAttributes) {
        self.name = name
        self.attributes = attributes
        content = Content(secret)
    }

    /// Lends the secret to a store of another library that keeps it.
    package func withSecret<Result, Failure: Error>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(content.secret) }
}
