public import Secrets

extension SecretStore {
    /// Stores a secret under a key whose class allows it, and replaces an existing one.
    ///
    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` if it is empty or larger than the key allows, and the store's
    ///   errors.
    public func save<Class: AllowedInSecretStore>(
        _ secret: borrowing SecretBytes, for key: DataKey<Class>
    ) async throws(SecureStorageError) {
        guard (1...key.limit).contains(secret.count) else { throw .outsideLimits(.itemSize) }
        try await save(secret, as: key.name, attributes: Self.attributes(of: Class.self))
    }

    /// Returns the secret of a key; nil if the store does not have it.
    ///
    /// - Throws: ``SecureStorageError/wrongKind`` if the stored secret has another class or is larger than the key
    ///   allows, and the store's errors.
    public func load<Class: AllowedInSecretStore>(
        _ key: DataKey<Class>
    ) async throws(SecureStorageError) -> SecretBytes? {
        guard let attributes = try await attributes(of: key.name) else { return nil }
        guard attributes.dataClass == Class.dataClass else { throw .wrongKind }
        guard let secret = try await load(key.name) else { return nil }
        guard secret.count <= key.limit else { throw .wrongKind }
        return secret
    }

    /// Removes the secret of a key. - Returns: whether there was one.
    @discardableResult
    public func delete<Class: AllowedInSecretStore>(_ key: DataKey<Class>) async throws(SecureStorageError) -> Bool {
        try await delete(key.name)
    }

    private static func attributes<Class: AllowedInSecretStore>(of type: Class.Type) -> ItemAttributes {
        type.dataClass == .critical ? .critical(.other) : .sensitive(.other)
    }
}
