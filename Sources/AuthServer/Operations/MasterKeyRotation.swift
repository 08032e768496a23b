internal import SQLStore
public import Secrets

/// Puts a new master key in the place of the one that everything is sealed with, in two steps: a server that runs does not
/// know of a key that was added since it started, so each is restarted between them.
public enum MasterKeyRotation {
    /// Adds a key to the vault. Servers that are started from now on seal with it, and open what older ones have sealed.
    ///
    /// - Returns: the key's number.
    /// - Throws: `SecureStorage.SecureStorageError`.
    public static func addKey(home: ServerHome, passphrase: borrowing SecretBytes) async throws -> UInt32 {
        try await MasterKeys.addKey(at: home.vaultPath, passphrase: passphrase, random: SystemRandom())
    }

    /// Seals anew with the newest key all that the store has. Whatever interrupts it, everything opens, and the next run goes on.
    ///
    /// - Returns: how many values were sealed.
    /// - Throws: whatever keeps vault or store from opening.
    public static func reseal(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> Int {
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        return try await home.withExistingDatabase(configuration.store) {
            try await Resealing.run(AuthTables.sealedColumns, of: $0, sealer: sealer)
        }
    }
}
