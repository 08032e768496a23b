internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import Time
internal import Tokens

/// Locks and unlocks an account by order of the operator.
struct AccountLocking: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Locks an account: its sessions end, and sign-ins, refreshes and recoveries are refused with `account_locked`.
    ///
    /// The sessions are ended and not suspended: an operator locks an account when a thief may have its sessions.
    /// Afterwards the owner signs in again with a passkey, which takes a few seconds.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    func lock(_ account: AccountID, reason: LockReason?) async throws -> OperatorAccounts.Locking {
        let now = clock()
        return try await database.change(account, sealer: sealer) { transaction in
            guard try Accounts.lock(account, at: now, reason: reason?.text, sealer: sealer, in: transaction) else {
                return .wasLocked
            }
            let ended = try Sessions.revoke(
                account: account, except: nil, at: now,
                reason: RefreshFamily.RevocationReason.accountLocked.rawValue, in: transaction)
            try events.note(
                .accountLocked, account: account, EventDetails(nil, reason: reason?.text), at: now, in: transaction)
            return .locked(sessionsEnded: ended)
        }
    }

    /// Unlocks an account. Returns whether it was locked.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    func unlock(_ account: AccountID) async throws -> Bool {
        let now = clock()
        return try await database.change(account, sealer: sealer) { transaction in
            guard try Accounts.unlock(account, in: transaction) else { return false }
            try events.note(.accountUnlocked, account: account, EventDetails(nil), at: now, in: transaction)
            return true
        }
    }
}
