internal import AuthAPI
internal import Encoding
internal import SQLStore
public import Secrets
internal import Tokens

/// Ends sessions by the operator's order.
public enum Revocation {
    /// Ends the sessions of one account, or of all.
    ///
    /// - Parameter account: the text of its id; nil is everybody.
    /// - Returns: how many sessions ended.
    /// - Throws: ``StartupError/noSuchAccount``, and what keeps the store from opening.
    public static func endSessions(
        of account: String?, _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes
    ) async throws -> Int {
        // Whoever cannot open the vault has no orders to give.
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        let id = try account.map { text in
            guard let id = try? AccountID(text) else { throw StartupError.noSuchAccount }
            return id
        }
        let database = try await home.existingDatabase(configuration.store)
        do {
            let count = try await end(of: id, sealer: sealer, in: database)
            await database.close()
            return count
        } catch {
            await database.close()
            throw error
        }
    }

    static func end(of account: AccountID?, sealer: ColumnSealer, in database: any Database) async throws -> Int {
        let now = Timestamp.now()
        let reason = RefreshFamily.RevocationReason.byOperator.rawValue
        let eventID = SystemRandom().publicBytes(count: 16)
        return try await database.write { transaction in
            // The event is sealed. With another master key it would be one that nobody reads.
            try sealer.requireOpening(in: transaction)
            if let account, try !Accounts.hold(account, in: transaction) { throw StartupError.noSuchAccount }
            try SecurityEvents.add(
                SecurityEventRow(
                    id: eventID, account: account, kind: SecurityEvent.sessionEnded.rawValue, at: now,
                    details: EventDetails(nil, reason: reason).json.encoded),
                sealer: sealer, in: transaction)
            guard let account else { return try Sessions.revokeAll(at: now, reason: reason, in: transaction) }
            return try Sessions.revoke(account: account, except: nil, at: now, reason: reason, in: transaction)
        }
    }
}
