internal import AuthAPI
internal import AuthSettings
internal import AuthStore
package import SQLStore
internal import Time
internal import Tokens

extension Database {
    /// Runs a transaction that may end in a refusal.
    ///
    /// If the body returns a problem, the transaction commits: rows that it wrote before stay, such as a counted limit
    /// and a spent proof. If the body throws a problem, the transaction is rolled back.
    func decide<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result<Value, Problem>
    ) async throws -> Value {
        try await write(body).get()
    }

    /// Runs a transaction of a signed-in caller, and checks the caller's session again inside it.
    ///
    /// Between the first check and this one the server waited for the request's body, which the client may send slowly,
    /// and hashed recovery codes. A caller whose session was ended meanwhile changes nothing.
    func decide<Value: Sendable>(
        by caller: Caller, at now: Timestamp,
        _ body: @escaping @Sendable (any Transaction) throws -> Result<Value, Problem>
    ) async throws -> Value {
        try await decide { transaction in
            guard try caller.hold(at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
            return try body(transaction)
        }
    }
}

extension Caller {
    /// Returns whether the caller's session is active. If it is, no other transaction ends it or changes the account's
    /// passkeys and recovery codes before this transaction ends.
    func hold(at now: Timestamp, in transaction: any Transaction) throws(StoreError) -> Bool {
        // Every transaction that takes both rows takes the account first: in different orders two of them would wait
        // for each other, and the store would refuse one.
        guard try Accounts.hold(account, in: transaction),
            try Sessions.hold(session, of: account, at: now, in: transaction)
        else { return false }
        return try !RevokedAccessTokens.contains(token.id.bytes, in: transaction)
    }
}

extension ColumnSealer {
    /// Checks that these master keys belong to the store, before any value is read with them or sealed into it.
    ///
    /// - Throws: `StartupError.otherMasterKey`.
    package func requireOpening(in transaction: any Transaction) throws {
        do throws(StoreError) {
            try ServerKeys.requireOpening(by: self, in: transaction)
        } catch .unknownSealingKey, .sealIsBroken {
            throw StartupError.otherMasterKey
        }
    }
}
