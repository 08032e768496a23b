internal import Encoding
internal import Files
package import SQLStore
public import Secrets
internal import SecureStorage

/// The folder of a server: it contains the vault with the master keys, and a SQLite store.
public struct ServerHome: Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates the home with the path of its folder.
    public init(path: String) { self.path = path }

    /// The path of the vault with the master keys.
    public var vaultPath: String { "\(path)/master.vault" }

    /// The path of the passphrase that the first start makes if the operator has given none.
    public var passphrasePath: String { "\(path)/passphrase" }

    /// Creates the folder, readable by its owner only, if it does not exist.
    public func make() throws { try FolderCreation.make(path) }

    /// Generates a passphrase in a file that only its owner can read: for a first start without one. 256 random bits,
    /// in hexadecimal digits.
    public func makePassphrase() throws {
        // An interrupted start may have left the passphrase without a vault.
        if hasFile(passphrasePath) { return }
        let text = Hex.encode(SystemRandom().publicBytes(count: 32))
        try AtomicFile.create(Array("\(text)\n".utf8), at: passphrasePath, for: .owner)
    }

    package func hasFile(_ path: String) -> Bool { FolderCreation.isOccupied(path) }

    /// Whether the vault exists: after the first start.
    public var hasVault: Bool { FolderCreation.isOccupied(vaultPath) }

    /// Checks that the vault exists.
    ///
    /// - Parameter store: the store whose columns the vault's keys seal.
    /// - Throws: `SecureStorage.SecureStorageError.notFound` before the first start;
    ///   ``StartupError/vaultIsMissing(_:)`` if a store exists already.
    public func requireVault(of store: StoreLocation) throws {
        if hasVault { return }
        if case .sqlite(let name) = store, hasFile(absolute(name)) { throw StartupError.vaultIsMissing(vaultPath) }
        throw SecureStorageError.notFound
    }

    /// Creates the vault with its first key.
    ///
    /// - Throws: `SecureStorage.SecureStorageError`.
    public func makeVault(passphrase: borrowing SecretBytes) async throws {
        try await MasterKeys.create(at: vaultPath, passphrase: passphrase, random: SystemRandom())
    }

    package func sealer(passphrase: borrowing SecretBytes, random: some RandomSource) async throws -> ColumnSealer {
        try await MasterKeys.open(at: vaultPath, passphrase: passphrase).sealer(random: random)
    }

    package func database(_ location: StoreLocation) async throws -> any Database {
        switch location {
        case .sqlite(let name): try await SQLiteDatabase(at: absolute(name))
        case .postgreSQL(let connection, let connections):
            try await PostgreSQLDatabase(at: PostgreSQLAddress(connection), connections: connections)
        }
    }

    /// Opens the store, which has to exist: only a start creates one.
    ///
    /// - Throws: ``StartupError/noStore(_:)`` too.
    private func existingDatabase(_ location: StoreLocation) async throws -> any Database {
        if case .sqlite(let name) = location, !hasFile(absolute(name)) { throw StartupError.noStore(absolute(name)) }
        return try await database(location)
    }

    /// Opens the store, which has to exist, runs `body`, and closes the store.
    package func withExistingDatabase<Value: Sendable>(
        _ location: StoreLocation, _ body: (any Database) async throws -> Value
    ) async throws -> Value {
        let database = try await existingDatabase(location)
        do {
            let value = try await body(database)
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }

    /// Checks that the store contains no values that are sealed with lost keys.
    ///
    /// - Throws: ``StartupError/vaultIsMissing(_:)`` if it contains sealed values: a new vault could not open them.
    public func requireNothingSealed(_ location: StoreLocation) async throws {
        if try await hasSealed(location) { throw StartupError.vaultIsMissing(vaultPath) }
    }

    private func hasSealed(_ location: StoreLocation) async throws -> Bool {
        if case .sqlite(let name) = location, !hasFile(absolute(name)) { return false }
        let database = try await database(location)
        do {
            let keys = try await database.read { try $0.run("SELECT key_id FROM server_keys LIMIT 1", []) }
            await database.close()
            return !keys.isEmpty
        } catch StoreError.failed("SQLite 1"), StoreError.failed("PostgreSQL 42P01") {
            // The store has no tables yet.
            await database.close()
            return false
        } catch {
            await database.close()
            throw error
        }
    }

    package func absolute(_ name: String) -> String { name.hasPrefix("/") ? name : "\(path)/\(name)" }
}
