internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import Time

/// Exports all data of an account for its owner. The data of an account are limited, so an export is limited, too: a
/// few MiB.
struct AccountExport: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let limits: ServerConfiguration.LimitSettings
    /// The places for exports that run at the same time, over all accounts.
    let places: Places
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Reads all data of the caller's account.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/unavailable`` if too many exports are running.
    func records(for fresh: FreshCaller) async throws -> AccountRecords {
        let caller = fresh.caller
        let now = clock()
        try await database.decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            if let problem = try limits.take([.export(caller.account)], at: now, in: transaction) {
                return .failure(problem)
            }
            try events.note(
                .accountExported, account: caller.account, EventDetails(caller.address, session: caller.session),
                at: now, in: transaction)
            return .success(())
        }
        events.tell(.accountExported, account: caller.account)
        guard places.enter() else { throw Problem(.unavailable, retryAfter: 1) }
        defer { places.leave() }
        guard let records = try await AccountRecords.export(caller.account, sealer: sealer, from: database) else {
            throw Problem(.invalidToken)
        }
        return records
    }
}
