internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import ServerHTTP
internal import Time
internal import Tokens

/// Revokes a token (RFC 7009). It needs no proof: the holder of a token may end it.
struct TokenRevocation: Sendable {
    /// The URL of the server as text.
    let issuer: String
    let database: any Database
    let keys: KeyRing
    let limits: ServerConfiguration.LimitSettings
    let admission: RequestAdmission
    let meter: ProofMeter
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Revokes a refresh token with its session, or an access token alone. An unknown token counts as revoked already.
    func revoke(_ text: String, from address: ClientAddress) async throws {
        let now = clock()
        let refresh = try? RefreshToken(text, keys: keys.current.tags)
        let access = try accessToken(text, from: address, at: now)
        try admission.admitNetwork(of: address, device: nil)
        let ended: AccountID? = try await database.decide { transaction in
            if let problem = try limits.take([.address(address)], at: now, in: transaction) { return .failure(problem) }
            if let access {
                // RFC 7009 section 2.1 allows the server to leave the rest of the grant valid.
                try RevokedAccessTokens.add(access.id.bytes, until: access.expiresAt, in: transaction)
            }
            // A redeemed token ends the session, too: a client that lost the answer has no newer one. This adds no
            // power: at the token endpoint a redeemed token also ends the session.
            guard let refresh, let row = try Sessions.find(refresh.family, in: transaction),
                try Sessions.revoke(
                    row.id, at: now, reason: RefreshFamily.RevocationReason.signedOut.rawValue, in: transaction)
            else { return .success(nil) }
            try events.note(
                .sessionEnded, account: row.account, EventDetails(address, device: row.device, session: row.id),
                at: now, in: transaction)
            return .success(row.account)
        }
        if let ended { events.tell(.sessionEnded, account: ended) }
    }

    /// Returns the access token of a text; nil for a token of another server. Its signature is verified, unless too
    /// many were wrong.
    private func accessToken(
        _ text: String, from address: ClientAddress, at now: Timestamp
    ) throws(Problem) -> AccessToken? {
        guard let unverified = try? keys.verifier(issuer: issuer).read(text, now: now) else { return nil }
        let wrong = Problem(.invalidToken)
        do {
            let subject = meter.subject(address, device: unverified.uncheckedToken.device.bytes)
            return try meter.verified(for: subject, refusal: wrong, at: clock()) {
                () throws(TokensError) in try unverified.verified().token
            }
        } catch {
            if error == wrong { return nil }
            throw error
        }
    }
}
