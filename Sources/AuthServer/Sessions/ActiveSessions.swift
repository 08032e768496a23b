internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import Time
internal import Tokens

/// The active sessions of an account. Its owner lists and ends them.
struct ActiveSessions: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Returns the caller's own session, with the account data that a page shows.
    func current(of caller: Caller) async throws -> CurrentSession {
        let now = clock()
        let (account, codes) = try await database.read { transaction in
            guard let account = try Accounts.find(caller.account, sealer: sealer, in: transaction) else {
                throw Problem(.invalidToken)
            }
            return (account, try RecoveryCodes.unused(of: caller.account, in: transaction))
        }
        guard let current = try await living(of: caller, at: now).first(where: \.isCurrent) else {
            throw Problem(.invalidToken)
        }
        return CurrentSession(
            account: account.id, accountName: account.name, session: current, recoveryCodesLeft: Int64(codes))
    }

    /// Returns the active sessions of the caller's account, the most recently used first.
    func all(of caller: Caller) async throws -> [SessionView] {
        try await living(of: caller, at: clock())
    }

    private func living(of caller: Caller, at now: Timestamp) async throws -> [SessionView] {
        try await database.read { transaction in
            var names: [DeviceID: String] = [:]
            for device in try Devices.active(of: caller.account, sealer: sealer, in: transaction) {
                names[device.id] = device.name
            }
            return try Sessions.living(of: caller.account, at: now, in: transaction).map { row in
                // The assurance that an access token would contain if it were issued now.
                let assurance = try row.authentication.aged(at: now).acr
                return SessionView(
                    id: row.id, device: row.device, deviceName: names[row.device] ?? "Device",
                    isCurrent: row.id == caller.session, created: row.issuedAt, lastUsed: row.lastUsedAt,
                    expires: row.expiresAt, authenticated: row.authTime, assurance: assurance)
            }
        }
    }

    /// Ends a session of the caller's account.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/notFound``, also for another account's session.
    func end(_ id: SessionID, by caller: Caller) async throws {
        let now = clock()
        try await database.decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            guard let row = try Sessions.find(id, in: transaction), row.account == caller.account,
                try Sessions.revoke(
                    id, at: now, reason: RefreshFamily.RevocationReason.signedOut.rawValue, in: transaction)
            else { return .failure(Problem(.notFound)) }
            try events.note(
                .sessionEnded, account: caller.account, EventDetails(caller.address, device: row.device, session: id),
                at: now, in: transaction)
            return .success(())
        }
        events.tell(.sessionEnded, account: caller.account)
    }

    /// Ends all sessions of the caller's account except the caller's own.
    func endOthers(than caller: Caller) async throws {
        let now = clock()
        let count: Int = try await database.decide(by: caller, at: now) { transaction in
            let count = try Sessions.revoke(
                account: caller.account, except: caller.session, at: now,
                reason: RefreshFamily.RevocationReason.everySession.rawValue, in: transaction)
            guard count > 0 else { return .success(0) }
            try events.note(
                .sessionEnded, account: caller.account, EventDetails(caller.address, reason: "all others"), at: now,
                in: transaction)
            return .success(count)
        }
        if count > 0 { events.tell(.sessionEnded, account: caller.account) }
    }
}
