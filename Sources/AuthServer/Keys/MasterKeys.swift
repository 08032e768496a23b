package import SQLStore
package import Secrets
internal import SecureStorage

/// The keys under which the store's sensitive columns and the server's own keys are sealed. They lie in a vault beside the
/// configuration, never in the store: whoever has only the store has neither. Replicas have the same vault.
package struct MasterKeys: ~Copyable {
    private static let service = "fuekid.master-key"
    private static let size = 32

    /// From the oldest to the newest, each with its number, 1 and up.
    private let vault: VaultFile
    /// The numbers that there are, in order.
    package let numbers: [UInt32]

    private init(_ vault: VaultFile, numbers: [UInt32]) {
        self.vault = vault
        self.numbers = numbers
    }

    /// Makes the vault with its first key. - Throws: ``SecureStorage/SecureStorageError/alreadyExists`` if there is one.
    package static func create(
        at path: String, passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws {
        let vault = try VaultFile.create(at: path, passphrase: passphrase, freshness: .unchecked, random: random)
        try await add(number: 1, to: vault, random: random)
        await vault.close()
    }

    /// Adds a key, with which everything is sealed from then on. The older ones stay, to open what they have sealed.
    ///
    /// - Returns: its number.
    package static func addKey(
        at path: String, passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws -> UInt32 {
        let vault = try VaultFile.open(at: path, passphrase: passphrase, freshness: .unchecked, random: random)
        let next = (try await numbers(in: vault).last ?? 0) + 1
        try await add(number: next, to: vault, random: random)
        await vault.close()
        return next
    }

    /// Opens the vault only for reading: any number of replicas can.
    package static func open(at path: String, passphrase: borrowing SecretBytes) async throws -> MasterKeys {
        let vault = try VaultFile.openReadOnly(at: path, passphrase: passphrase, freshness: .unchecked)
        return MasterKeys(vault, numbers: try await numbers(in: vault))
    }

    /// What seals with the newest key, and opens with all.
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
