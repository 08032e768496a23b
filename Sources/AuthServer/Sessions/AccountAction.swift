internal import AuthAPI
internal import SQLStore
internal import Tokens

extension Backend {
    /// A transaction of somebody signed in, whose session is looked at once more, inside.
    ///
    /// Between the first look and this one the request's body had to arrive, for which the client may take its time, and
    /// codes to be hashed. Whoever was signed out meanwhile changes nothing any more: a thief who was shown the door has
    /// no hand left in it.
    func decide<Value: Sendable>(
        by caller: Caller, at now: Timestamp,
        _ body: @escaping @Sendable (any Transaction) throws -> Result<Value, Problem>
    ) async throws -> Value {
        try await database.decide { transaction in
            guard try hold(caller, at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
            return try body(transaction)
        }
    }

    /// Whether the caller's session goes on. If so, nobody ends it, and nobody else changes who gets into the account,
    /// before this transaction is over.
    func hold(_ caller: Caller, at now: Timestamp, in transaction: any Transaction) throws(StoreError) -> Bool {
        // The account first, wherever both are taken: two that wait for each other would be one refusal.
        guard try Accounts.hold(caller.account, in: transaction),
            try Sessions.hold(caller.session, of: caller.account, at: now, in: transaction)
        else { return false }
        return try !RevokedAccessTokens.contains(caller.token.id.bytes, in: transaction)
    }
}
