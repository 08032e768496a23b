internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import Time

/// Replaces the recovery codes of an account.
struct RecoveryCodeReplacement: Sendable {
    let database: any Database
    let limits: ServerConfiguration.LimitSettings
    let generation: RecoveryCodeGeneration
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Replaces all codes of the account with new ones.
    func replace(by fresh: FreshCaller) async throws -> RecoveryCodesAnswer {
        let caller = fresh.caller
        let now = clock()
        let codes = try await generation.generate(for: caller.account, at: now)
        try await database.decide(by: caller, at: clock()) { transaction -> Result<Void, Problem> in
            if let problem = try limits.take([.change(caller.account)], at: now, in: transaction) {
                return .failure(problem)
            }
            try RecoveryCodes.replaceAll(of: caller.account, with: codes.map(\.row), in: transaction)
            try events.note(
                .recoveryCodesMade, account: caller.account, EventDetails(caller.address, session: caller.session),
                at: now, in: transaction)
            return .success(())
        }
        events.tell(.recoveryCodesMade, account: caller.account)
        return RecoveryCodesAnswer(codes: codes.map(\.text))
    }
}
