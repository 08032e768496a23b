internal import AuthAPI
internal import SQLStore
internal import Tokens

extension Database {
    /// Runs a transaction that may end in a refusal.
    ///
    /// A problem that the body returns is an outcome: what was written before it stays, such as a limit that was counted and
    /// a proof that was spent. A problem that it throws takes everything back.
    func decide<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result<Value, Problem>
    ) async throws -> Value {
        try await write(body).get()
    }

    /// Runs a transaction of a signed-in caller, and checks the caller's session once more inside it.
    ///
    /// Between the first check and this one the request's body had to arrive, for which the client may take its time, and
    /// recovery codes had to be hashed. A caller whose session was ended meanwhile changes nothing.
    func decide<Value: Sendable>(
        by caller: Caller, at now: Timestamp,
        _ body: @escaping @Sendable (any Transaction) throws -> Result<Value, Problem>
    ) async throws -> Value {
        try await decide { transaction in
            guard try caller.hold(at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
            return try body(transaction)
        }
    }

    /// Runs a transaction of the operator on an account, whose row it holds, in a store that the master keys open.
    ///
    /// - Throws: ``StartupError/noSuchAccount``, ``StartupError/otherMasterKey``.
    func change<Value: Sendable>(
        _ account: AccountID, sealer: ColumnSealer, _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await write { transaction in
            try sealer.requireOpening(in: transaction)
            guard try Accounts.hold(account, in: transaction) else { throw StartupError.noSuchAccount }
            return try body(transaction)
        }
    }
}

extension Caller {
    /// Returns whether the caller's session goes on. If so, no other transaction ends it, or changes who gets into the account,
    /// before this one is over.
    func hold(at now: Timestamp, in transaction: any Transaction) throws(StoreError) -> Bool {
        // The account first, wherever both are taken: two that wait for each other would be one refusal.
        guard try Accounts.hold(account, in: transaction),
            try Sessions.hold(session, of: account, at: now, in: transaction)
        else { return false }
        return try !RevokedAccessTokens.contains(token.id.bytes, in: transaction)
    }
}

extension ColumnSealer {
    /// Makes sure that these master keys are the store's, before anything is read with them or sealed into it.
    ///
    /// - Throws: ``StartupError/otherMasterKey``.
    func requireOpening(in transaction: any Transaction) throws {
        do throws(StoreError) {
            try ServerKeys.requireOpening(by: self, in: transaction)
        } catch .unknownSealingKey, .sealIsBroken {
            throw StartupError.otherMasterKey
        }
    }
}
