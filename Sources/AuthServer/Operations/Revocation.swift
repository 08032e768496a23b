internal import AuthAPI
internal import SQLStore
public import Secrets
internal import ServerAudit
internal import ServerHTTP
internal import Time

/// Ends sessions by order of the operator.
public enum Revocation {
    /// Ends the sessions of one account, or of all.
    ///
    /// - Parameter account: the text of its id; nil for all accounts.
    /// - Returns: the number of sessions that ended.
    /// - Throws: ``StartupError/noSuchAccount``, and the errors of opening the store.
    public static func endSessions(
        of account: String?, _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> Int {
        // Only an operator who can open the vault may give orders.
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        let id = try account.map { text in
            guard let id = try? AccountID(text) else { throw StartupError.noSuchAccount }
            return id
        }
        return try await home.withExistingDatabase(configuration.store) {
            try await end(of: id, sealer: sealer, audit: AuditOutbox.ofOperator(configuration), in: $0)
        }
    }

    static func end(
        of account: AccountID?, sealer: ColumnSealer, audit: AuditOutbox? = nil, in database: any Database
    ) async throws -> Int {
        try await ActiveSessions(
            database: database, sealer: sealer,
            events: SecurityEventLog(sealer: sealer, random: SystemRandom(), reporting: nil, audit: audit),
            clock: Timestamp.now
        ).endByOperator(of: account)
    }
}
