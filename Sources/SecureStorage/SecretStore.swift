public import Secrets

/// A place for secrets, each under its full name. The port that the rest of Fueki stores secrets through.
///
/// Saving replaces, an absent item loads as nil, and deleting an absent item is no error. Nothing is returned as absent
/// unless the store could really be read.
public protocol SecretStore: Actor {
    /// Stores a secret, in the place of one that has the name already. When it returns, the secret is stored durably.
    ///
    /// - Throws: ``SecureStorageError/notHonoured(_:)`` if the store cannot protect the item as `attributes` asks.
    func save(
        _ secret: borrowing SecretBytes, as name: ItemName, attributes: ItemAttributes
    ) async throws(SecureStorageError)

    /// The secret of that name, or nil if there is none.
    func load(_ name: ItemName) async throws(SecureStorageError) -> SecretBytes?

    /// What the store knows about the item, or nil if there is none. Does not open the secret.
    func attributes(of name: ItemName) async throws(SecureStorageError) -> ItemAttributes?

    /// Removes the item. - Returns: whether there was one.
    @discardableResult
    func delete(_ name: ItemName) async throws(SecureStorageError) -> Bool

    /// The names of all items of one service, or of all services, in order.
    func names(in service: String?) async throws(SecureStorageError) -> [ItemName]
}
