package import SQLStore
package import Secrets
internal import SecureStorage

/// The master keys, which seal the store's sensitive columns and the server's own keys. They are in a vault beside the
/// configuration, never in the store: a copy of the store alone reveals neither. Replicas share the vault.
package struct MasterKeys: ~Copyable {
    private static let service = "fuekid.master-key"
    private static let size = 32

    /// The vault, with the keys from the oldest to the newest, each with its number, from 1 up.
    private let vault: VaultFile
    /// The numbers of the keys, in ascending order.
    package let numbers: [UInt32]

    private init(_ vault: VaultFile, numbers: [UInt32]) {
        self.vault = vault
        self.numbers = numbers
    }

    /// Creates the vault with its first key.
    ///
    /// - Throws: ``SecureStorage/SecureStorageError/alreadyExists`` if the vault exists.
    package static func create(
        at path: String, passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws {
        let vault = try VaultFile.create(at: path, passphrase: passphrase, freshness: .unchecked, random: random)
        try await add(number: 1, to: vault, random: random)
        await vault.close()
    }

    /// Adds a key, which seals all values from then on. The older keys stay, to open the values that they sealed.
    ///
    /// - Returns: the number of the new key.
    package static func addKey(
        at path: String, passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws -> UInt32 {
        let vault = try VaultFile.open(at: path, passphrase: passphrase, freshness: .unchecked, random: random)
        let next = (try await numbers(in: vault).last ?? 0) + 1
        try await add(number: next, to: vault, random: random)
        await vault.close()
        return next
    }

    /// Opens the vault for reading only: any number of replicas can do so at once.
    package static func open(at path: String, passphrase: borrowing SecretBytes) async throws -> MasterKeys {
        let vault = try VaultFile.openReadOnly(at: path, passphrase: passphrase, freshness: .unchecked)
        return MasterKeys(vault, numbers: try await numbers(in: vault))
    }

    /// Returns a sealer that seals with the newest key, and opens with all keys.
    package borrowing func sealer(random: some RandomSource) async throws -> ColumnSealer {
        var sealer: ColumnSealer?
        for number in numbers {
            guard let key = try await vault.load(try Self.name(number)), key.count == Self.size else {
                throw SecureStorageError.damaged
            }
            sealer = sealer?.adding(key: key, number: number) ?? ColumnSealer(key: key, number: number, random: random)
        }
        guard let sealer else { throw SecureStorageError.notFound }
        return sealer
    }

    private static func add(number: UInt32, to vault: VaultFile, random: some RandomSource) async throws {
        let key = SecretBytes(count: size, from: random)
        try await vault.save(key, as: try name(number), attributes: .critical(.other))
    }

    private static func numbers(in vault: VaultFile) async throws -> [UInt32] {
        try await vault.names(in: service).compactMap { UInt32($0.account) }.sorted()
    }

    private static func name(_ number: UInt32) throws -> ItemName {
        try ItemName(service: service, account: String(number))
    }
}
