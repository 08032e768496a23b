internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import Secrets
internal import Time
internal import Tokens

/// Redeems refresh tokens: a device presents one, and receives new tokens.
struct TokenRefresh: Sendable {
    let database: any Database
    let keys: KeyRing
    let settings: ServerConfiguration.SessionSettings
    let limits: ServerConfiguration.LimitSettings
    let admission: RequestAdmission
    let meter: ProofMeter
    let sessions: SessionIssuance
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    private enum Redemption: Sendable {
        case answered(RefreshFamily, RefreshToken)
        case reused(AccountID)
    }

    /// Redeems a refresh token for new tokens.
    ///
    /// ``Tokens/RefreshFamily/redeem(_:by:candidate:now:policy:)`` decides the outcome, on one row. A compare-and-swap
    /// statement writes the decision only if the row is unchanged: of several concurrent redemptions one rotates, and
    /// the others read the new row.
    func redeem(_ text: String, _ unproven: UnprovenRequest) async throws -> TokenResponse {
        let now = clock()
        let ring = keys.current
        // A token that this server did not make is refused before a signature is verified or a row is read.
        guard let token = try? RefreshToken(text, keys: ring.tags),
            let candidate = token.successor(keys: ring.tags, random: random)
        else { throw Problem(.invalidGrant) }
        guard let policy = settings.refreshPolicy else { throw Problem(.internalError) }
        let request = try admission.prove(unproven, session: token.family)

        let redemption: Redemption = try await database.decide { transaction in
            try redeem(token, candidate, by: request, policy: policy, at: now, in: transaction)
        }
        switch redemption {
        case .answered(let family, let successor):
            meter.remember(request.deviceKey)
            return sessions.answer(for: family, refreshToken: successor, at: now)
        case .reused(let account):
            events.tell(.refreshTokenReused, account: account)
            throw Problem(.invalidGrant)
        }
    }

    private func redeem(
        _ token: RefreshToken, _ candidate: RefreshToken, by request: ProvenRequest, policy: RefreshPolicy,
        at now: Timestamp, in transaction: any Transaction
    ) throws -> Result<Redemption, Problem> {
        let limit = Limited.refresh(token.family)
        var isSpent = false
        while let row = try Sessions.find(token.family, in: transaction) {
            // The limit is checked first: a client that is told to wait has to find its proof unspent.
            let (outcome, refreshes) = TokenBucket.take(from: row.refreshes, limit.rate(limits), at: now)
            if let problem = outcome.problem(of: limit) { return .failure(problem) }
            if !isSpent {
                guard try admission.spend(request.proof, in: transaction) else {
                    return .failure(Problem(.invalidDPoPProof, status: 400))
                }
                isSpent = true
            }
            let family = try row.family
            let decision = try family.redeem(
                token, by: request.proof.thumbprint, candidate: candidate, now: now, policy: policy)
            // A rotation writes the limit in its own statement.
            if !decision.isRotation,
                try !Sessions.noteRefresh(family.id, from: row.refreshes, to: refreshes, in: transaction)
            {
                continue
            }
            switch decision {
            case .rotate(let next, let successor):
                let rotation = Sessions.Rotation(
                    generation: next.generation, currentHash: next.currentHash, recent: next.recent.encoded,
                    idleExpiresAt: next.idleExpiresAt, lastUsedAt: next.lastUsedAt, refreshes: refreshes)
                guard
                    try Sessions.compareAndSwap(
                        family.id, expecting: family.generation, family.currentHash, to: rotation, in: transaction)
                else { continue }  // Another redemption came first: read and decide again.
                return .success(.answered(next, successor))
            case .repeatSuccessor(let successor): return .success(.answered(family, successor))
            case .slowDown(let until):
                let wait = max(1, (until.since(now).milliseconds + 999) / 1000)
                return .failure(Problem(.rateLimited, retryAfter: Int(clamping: wait), limit: "retries"))
            case .revoked(let revocation)
            where revocation.reason == .accountLocked && request.proof.thumbprint == family.thumbprint:
                // Only the device whose session the lock has ended is told. After the unlock it signs in again.
                let isLocked = try Accounts.isLocked(family.account, in: transaction)
                return .failure(Problem(isLocked ? .accountLocked : .invalidGrant))
            case .expired, .revoked: return .failure(Problem(.invalidGrant))
            case .reuse(let kind, let ended):
                let reason = RefreshFamily.RevocationReason.reuse
                if try Sessions.revoke(ended.id, at: now, reason: reason.rawValue, in: transaction) {
                    try events.note(
                        .refreshTokenReused, account: ended.account,
                        EventDetails(
                            request.address, device: ended.device, session: ended.id, reason: kind.rawValue),
                        at: now, in: transaction)
                }
                return .success(.reused(ended.account))
            }
        }
        // The refreshes of a deleted session are counted in the table of limits.
        if let problem = try limits.take([limit], at: now, in: transaction) { return .failure(problem) }
        guard try isSpent || admission.spend(request.proof, in: transaction) else {
            return .failure(Problem(.invalidDPoPProof, status: 400))
        }
        return .failure(Problem(.invalidGrant))
    }
}

extension RefreshDecision {
    fileprivate var isRotation: Bool { if case .rotate = self { true } else { false } }
}

extension ServerConfiguration.SessionSettings {
    var refreshPolicy: RefreshPolicy? { RefreshPolicy(window: retryWindow, idle: idle, absolute: lifetime) }
}
