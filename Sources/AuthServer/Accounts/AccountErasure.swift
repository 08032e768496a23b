package import AuthAPI
internal import AuthStore
package import SQLStore
package import Time

/// Erases an account with all its data, by order of its owner. An erasure cannot be undone.
///
/// An order of the operator has the same two steps.
package struct AccountErasure: Sendable {
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
            by: caller, at: now, { .success(try Self.anonymiseSome(of: caller.account, in: $0)) })
        {}
        try await database.decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            try Self.remove(caller.account, events: events, at: now, in: transaction)
                ? .success(()) : .failure(Problem(.invalidToken))
        }
        events.tell(.accountErased)
        database.forgetDeleted()
        return now
    }

    /// Removes the account from some of its events. Returns whether more events may be left.
    package static func anonymiseSome(of account: AccountID, in transaction: any Transaction) throws(StoreError) -> Bool
    {
        try SecurityEvents.anonymise(of: account, in: transaction) >= Int(StoreLimits.rowsAtOnce)
    }

    /// Removes the account. Returns whether it existed.
    package static func remove(
        _ account: AccountID, events: SecurityEventLog, at now: Timestamp, in transaction: any Transaction
    ) throws -> Bool {
        guard try AccountRecords.erase(account, in: transaction) else { return false }
        // The event records that an account was erased, and does not name it.
        try events.note(.accountErased, account: nil, EventDetails(nil), at: now, in: transaction)
        return true
    }
}
