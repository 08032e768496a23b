internal import AuthAPI
internal import SQLStore

/// Erases an account with all that belongs to it, by its owner or by the operator. It cannot be undone.
struct AccountErasure: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Erases the caller's account. Returns when.
    func erase(by fresh: FreshCaller) async throws -> Timestamp {
        let caller = fresh.caller
        let now = clock()
        // First the events, some at a time: there may be thousands, and one transaction would hold up all others.
        while try await database.decide(
            by: caller, at: now, { .success(try anonymiseSome(of: caller.account, in: $0)) })
        {}
        try await database.decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            try remove(caller.account, at: now, in: transaction)
                ? .success(()) : .failure(Problem(.invalidToken))
        }
        events.tell(.accountErased)
        database.forgetDeleted()
        return now
    }

    /// Erases an account by the operator's order.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    func eraseByOperator(_ account: AccountID) async throws {
        let now = clock()
        while try await database.change(account, sealer: sealer, { try anonymiseSome(of: account, in: $0) }) {}
        try await database.change(account, sealer: sealer) { transaction in
            guard try remove(account, at: now, in: transaction) else { throw StartupError.noSuchAccount }
        }
        // So that the write-ahead log keeps nothing of it. While a server reads an older state that is the server's work.
        database.forgetDeleted()
    }

    /// Takes the account out of some of its events. Returns whether there may be more.
    private func anonymiseSome(of account: AccountID, in transaction: any Transaction) throws(StoreError) -> Bool {
        try SecurityEvents.anonymise(of: account, in: transaction) >= Int(StoreLimits.rowsAtOnce)
    }

    /// Returns whether there was such an account.
    private func remove(_ account: AccountID, at now: Timestamp, in transaction: any Transaction) throws -> Bool {
        guard try AccountRecords.erase(account, in: transaction) else { return false }
        // That an account was erased is noted, not whose.
        try events.note(.accountErased, account: nil, EventDetails(nil), at: now, in: transaction)
        return true
    }
}
