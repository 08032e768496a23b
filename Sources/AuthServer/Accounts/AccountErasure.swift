internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import Time

/// Erases an account with all its data, by order of its owner or of the operator. An erasure cannot be undone.
struct AccountErasure: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Erases the caller's account. Returns the time of the erasure.
    func erase(by fresh: FreshCaller) async throws -> Timestamp {
        let caller = fresh.caller
        let now = clock()
        // An erasure that cannot be logged must not begin.
        try events.require()
        // The events go first, a limited number per transaction: there may be thousands, and one long transaction would
        // block all others.
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
        // Nothing of the account stays in the write-ahead log. While a server still reads an older state, that server
        // does this later.
        database.forgetDeleted()
    }

    /// Removes the account from some of its events. Returns whether more events may be left.
    private func anonymiseSome(of account: AccountID, in transaction: any Transaction) throws(StoreError) -> Bool {
        try SecurityEvents.anonymise(of: account, in: transaction) >= Int(StoreLimits.rowsAtOnce)
    }

    /// Removes the account. Returns whether it existed.
    private func remove(_ account: AccountID, at now: Timestamp, in transaction: any Transaction) throws -> Bool {
        guard try AccountRecords.erase(account, in: transaction) else { return false }
        // The event records that an account was erased, and does not name it.
        try events.note(.accountErased, account: nil, EventDetails(nil), at: now, in: transaction)
        return true
    }
}
