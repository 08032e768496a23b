internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import Time

/// The passkeys of an account. Its owner lists, renames and removes them.
struct RegisteredPasskeys: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Returns the passkeys of the caller's account, oldest first.
    func all(of caller: Caller) async throws -> [PasskeyView] {
        try await database.read { transaction in
            guard let session = try Sessions.find(caller.session, in: transaction) else { throw Problem(.invalidToken) }
            let current = session.credential
            return try Passkeys.all(of: caller.account, sealer: sealer, in: transaction).map {
                $0.view(usedNow: current)
            }
        }
    }

    /// Renames a passkey. The owner uses the name to decide which passkey to remove.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/notFound`` if the account has no such passkey.
    func rename(_ id: [UInt8], to name: String, by fresh: FreshCaller) async throws {
        let caller = fresh.caller
        let isKnown = try await database.decide(by: caller, at: clock()) {
            .success(try Passkeys.rename(id, of: caller.account, to: name, sealer: sealer, in: $0))
        }
        guard isKnown else { throw Problem(.notFound) }
    }

    /// Removes a passkey of the caller's account, unless it is the last.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/notFound`` or ``ProblemCode/passkeyLast``.
    func remove(_ id: [UInt8], by fresh: FreshCaller) async throws {
        let caller = fresh.caller
        let now = clock()
        try await database.decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            guard let passkey = try Passkeys.find(id, sealer: sealer, in: transaction),
                passkey.account == caller.account
            else { return .failure(Problem(.notFound)) }
            guard try Passkeys.remove(id, of: caller.account, in: transaction) else {
                return .failure(Problem(.passkeyLast))
            }
            try events.note(
                .passkeyRemoved, account: caller.account, EventDetails(caller.address, session: caller.session),
                at: now, in: transaction)
            return .success(())
        }
        events.tell(.passkeyRemoved, account: caller.account)
    }
}
