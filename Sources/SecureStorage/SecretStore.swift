public import Secrets

/// A place for secrets, each under its full name: the port through which the rest of Fueki stores secrets.
///
/// Saving replaces, an absent item loads as nil, and deleting an absent item is not an error. An item is reported as
/// absent only if the store could be read.
public protocol SecretStore: Actor {
    /// Stores a secret, and replaces an existing one of the name. When it returns, the secret is stored durably.
    ///
    /// - Throws: ``SecureStorageError/notHonoured(_:)`` if the store cannot protect the item as `attributes` asks.
    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError)

    /// Returns the secret of that name; nil if the store does not have it.
    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes?

    /// Returns the attributes of the item; nil if the store does not have it. Does not open the secret.
    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes?

    /// Removes the item. - Returns: whether there was one.
    @discardableResult
    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool

    /// Returns the names of all items of one service, or of all services, in order.
    func names(in service: String?) async throws(SecureStorageError) -> [ItemName]
}
