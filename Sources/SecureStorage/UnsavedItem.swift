public import Secrets

/// A secret that a store is about to keep, with its name and attributes: an element of a list, which a `SecretBytes` by itself
/// cannot be. See ``VaultFile/saveAll(_:deleting:)``.
public struct UnsavedItem: Sendable {
    /// Shared by the copies of the item, so that there is one secret to wipe.
    final class Content: Sendable {
        let secret: SecretBytes
        init(_ secret: consuming SecretBytes) { self.secret = secret }
    }

    /// The name that it will have.
    public let name: ItemName
    /// How it is to be kept.
    public let attributes: ItemAttributes
    let content: Content

    /// Creates an item for a store to keep.
    public init(_ secret: consuming SecretBytes, as name: ItemName, attributes: ItemAttributes) {
        self.name = name
        self.attributes = attributes
        content = Content(secret)
    }
}
