internal import AuthAPI
internal import AuthServer
public import AuthSettings
internal import AuthStore
internal import SQLStore
public import Secrets
internal import Tokens

/// Ends sessions by order of the operator.
public enum Revocation {
    /// Ends the sessions of one account, or of all.
    ///
    /// - Parameter account: the text of its id; nil for all accounts.
    /// - Returns: the number of sessions that ended.
    /// - Throws: `StartupError.noSuchAccount`, and the errors of opening the store.
    public static func endSessions(
        of account: String?, _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> Int {
        try await OperatorStore.with(configuration, home: home, passphrase: passphrase) { store in
            try await end(of: account.map { try OperatorAccounts.id($0) }, in: store)
        }
    }

    /// Ends the sessions of one account, or of all.
    static func end(of account: AccountID?, in store: OperatorStore) async throws -> Int {
        let now = store.clock()
        let reason = RefreshFamily.RevocationReason.byOperator.rawValue
        return try await store.database.write { transaction in
            // The event is sealed. With another master key it could never be read.
            try store.sealer.requireOpening(in: transaction)
            if let account, try !Accounts.hold(account, in: transaction) { throw StartupError.noSuchAccount }
            try store.events.note(
                .sessionEnded, account: account, EventDetails(nil, reason: reason), at: now, in: transaction)
            guard let account else { return try Sessions.revokeAll(at: now, reason: reason, in: transaction) }
            return try Sessions.revoke(account: account, except: nil, at: now, reason: reason, in: transaction)
        }
    }
}
