public import Secrets

/// A place for secrets, each under its full name: the port through which the rest of Fueki stores secrets.
///
/// Saving replaces, an absent item loads as nil, and deleting an absent item is not an error. An item is reported as
/// absent only if the store could be read.
public protocol SecretStore: Actor {
    /// The place of the secrets.
    nonisolated var backend: StoreBackend { get }

    /// Stores a secret, and replaces an existing one of the name. When it returns, the secret is stored durably.
    ///
    /// The kernel's keyring alone keeps items only until the end of the session, and refuses critical ones.
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

    /// Removes some items and stores others. A vault file does all of it in one write; other stores do one after the
    /// other, and a failure leaves the rest undone.
    ///
    /// - Parameter names: the items to remove first. An absent item is not an error.
    func saveAll(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError)

    /// Wipes the keys of the store from memory, and releases its locks. The store cannot be used afterwards, and
    /// closing it again does nothing. A store that keeps nothing open stays usable.
    func close() async
}

extension SecretStore {
    /// Removes some items and stores others, one after the other: ``saveAll(_:deleting:)`` of a store that has no write of
    /// several items.
    ///
    /// It has another name than the requirement on purpose. A default implementation would be async, and Swift would prefer
    /// it to a store's own function that is not, also where all items must be in one write.
    public func saveEach(_ items: [UnsavedItem], deleting names: [ItemName]) async throws(SecureStorageError) {
        for name in names { try await delete(name) }
        for item in items { try await save(item.content.secret, as: item.name, attributes: item.attributes) }
    }
}
