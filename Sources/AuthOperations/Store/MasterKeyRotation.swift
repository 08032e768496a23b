public import AuthSettings
internal import AuthStore
internal import SQLStore
public import Secrets

/// Replaces the master key that seals all values, in two steps. A running server does not know a key that was added
/// since it started, so every server is restarted between the steps.
public enum MasterKeyRotation {
    /// Adds a key to the vault. Servers that start afterwards seal with it, and open the values that older keys sealed.
    ///
    /// - Returns: the number of the key.
    /// - Throws: `SecureStorage.SecureStorageError`.
    public static func addKey(home: ServerHome, passphrase: borrowing SecretBytes) async throws -> UInt32 {
        try await MasterKeys.addKey(at: home.vaultPath, passphrase: passphrase, random: SystemRandom())
    }

    /// Seals all values of the store again with the newest key. An interrupted run loses nothing: all values can still
    /// be opened, and the next run continues.
    ///
    /// - Returns: the number of values that were sealed.
    /// - Throws: an error if the vault or the store cannot be opened.
    public static func reseal(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> Int {
        try await OperatorStore.with(configuration, home: home, passphrase: passphrase) {
            try await Resealing.run(AuthTables.sealedColumns, of: $0.database, sealer: $0.sealer)
        }
    }
}
