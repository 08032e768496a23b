internal import AuthAPI
internal import AuthServer
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import Secrets
internal import ServerAudit
internal import Time

/// The opened store of a server, for a command of its operator.
///
/// A server of the same store may be running. Each change takes effect with its next request, since it reads the store.
struct OperatorStore: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource
    /// The security events of the command.
    let events: SecurityEventLog

    init(
        _ database: any Database, sealer: ColumnSealer, audit: AuditOutbox?, clock: @escaping @Sendable () -> Timestamp,
        random: any RandomSource
    ) {
        self.database = database
        self.sealer = sealer
        self.clock = clock
        self.random = random
        events = .ofOperator(sealer: sealer, random: random, audit: audit)
    }

    /// Opens the vault and the store, runs `body`, and closes them. Only an operator who can open the vault may give
    /// orders.
    ///
    /// - Throws: `StartupError.noStore`, and the errors of opening either.
    static func with<Value: Sendable>(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes,
        _ body: (OperatorStore) async throws -> Value
    ) async throws -> Value {
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        return try await home.withExistingDatabase(configuration.store) { database in
            try await body(
                OperatorStore(
                    database, sealer: sealer, audit: .ofOperator(configuration), clock: Timestamp.now,
                    random: SystemRandom()))
        }
    }

    /// Checks that the tables have the version of this program.
    ///
    /// - Throws: `StartupError.olderTables`.
    func requireCurrentTables() async throws {
        guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else {
            throw StartupError.olderTables
        }
    }

    /// Runs a transaction on an account and holds the account's row. The master keys have to open the store.
    ///
    /// - Throws: `StartupError.noSuchAccount`, `StartupError.otherMasterKey`.
    func change<Value: Sendable>(
        _ account: AccountID, _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await database.write { [sealer] transaction in
            try sealer.requireOpening(in: transaction)
            guard try Accounts.hold(account, in: transaction) else { throw StartupError.noSuchAccount }
            return try body(transaction)
        }
    }
}

extension AuditOutbox {
    /// Returns the outbox of an operator's command; nil if the settings name no reader of an audit log.
    static func ofOperator(_ configuration: ServerConfiguration) -> AuditOutbox? {
        guard configuration.audit.reader != nil else { return nil }
        return AuditOutbox(ofOperatorTo: configuration.audit.name)
    }
}
