internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import SQLStore
internal import Tokens

extension Backend {
    func addSessionRoutes(to router: Router<AuthContext>) {
        router.get("/api/auth/session") { request, context in
            Response.json(try await currentSession(of: try await caller(request, context)).json)
        }
        router.get("/api/auth/sessions") { request, context in
            let sessions = try await sessions(of: try await caller(request, context))
            return Response.json(["sessions": .array(sessions.map(\.json))])
        }
        router.delete("/api/auth/sessions/:id") { request, context in
            let caller = try await caller(request, context)
            try await end(try context.identifier(SessionID.self), by: caller)
            return Response.empty
        }
        router.post("/api/auth/sessions/revoke-others") { request, context in
            try await endOthers(than: try await caller(request, context))
            return Response.empty
        }
        router.post("/api/auth/logout") { request, context in
            let caller = try await caller(request, context)
            try await end(caller.session, by: caller)
            var response = Response.empty
            // Not the storage: the device's key stays, so that the next sign-in is the same device's. Without a passkey it opens
            // nothing, and cannot be read out. The refresh token means nothing any more, and the page removes it.
            response.headers[.clearSiteData] = "\"cache\""
            return response
        }
    }

    private func currentSession(of caller: Caller) async throws -> CurrentSession {
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

    private func sessions(of caller: Caller) async throws -> [SessionView] {
        try await living(of: caller, at: clock())
    }

    /// The sessions of an account that go on, the one used last first.
    private func living(of caller: Caller, at now: Timestamp) async throws -> [SessionView] {
        try await database.read { transaction in
            var names: [DeviceID: String] = [:]
            for device in try Devices.active(of: caller.account, sealer: sealer, in: transaction) {
                names[device.id] = device.name
            }
            return try Sessions.living(of: caller.account, at: now, in: transaction).map { row in
                // What an access token would say that was issued now.
                let assurance = try row.authentication.aged(at: now).acr
                return SessionView(
                    id: row.id, device: row.device, deviceName: names[row.device] ?? "Device",
                    isCurrent: row.id == caller.session, created: row.issuedAt, lastUsed: row.lastUsedAt,
                    expires: row.expiresAt, authenticated: row.authTime, assurance: assurance)
            }
        }
    }

    /// Ends a session of the caller's account. Another account's is not found.
    private func end(_ id: SessionID, by caller: Caller) async throws {
        let now = clock()
        try await decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            guard let row = try Sessions.find(id, in: transaction), row.account == caller.account,
                try Sessions.revoke(
                    id, at: now, reason: RefreshFamily.RevocationReason.signedOut.rawValue, in: transaction)
            else { return .failure(Problem(.notFound)) }
            try note(
                .sessionEnded, account: caller.account, EventDetails(caller.address, device: row.device, session: id),
                at: now, in: transaction)
            return .success(())
        }
        tell(.sessionEnded, account: caller.account)
    }

    private func endOthers(than caller: Caller) async throws {
        let now = clock()
        let count: Int = try await decide(by: caller, at: now) { transaction in
            let count = try Sessions.revoke(
                account: caller.account, except: caller.session, at: now,
                reason: RefreshFamily.RevocationReason.everySession.rawValue, in: transaction)
            guard count > 0 else { return .success(0) }
            try note(
                .sessionEnded, account: caller.account, EventDetails(caller.address, reason: "all others"), at: now,
                in: transaction)
            return .success(count)
        }
        if count > 0 { tell(.sessionEnded, account: caller.account) }
    }
}
