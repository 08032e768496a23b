internal import AuthAPI
internal import Crypto
internal import Encoding
internal import Hummingbird
internal import SQLStore
internal import Secrets
internal import Tokens

extension Backend {
    func addTokenRoutes(to router: Router<AuthContext>) {
        router.post("/api/auth/token/validate") { request, context in
            let unproven = try unproven(request, context)
            let body = try TokenValidation(try await request.json())
            return Response.json(try await redeem(body.refreshToken, unproven).json)
        }
        router.post("/api/auth/token") { request, context in
            let unproven = try unproven(request, context)
            let form = try await request.form()
            guard let type = form["grant_type"] else { throw Problem(.malformedRequest) }
            guard type == "refresh_token" else { throw Problem(.unsupportedGrantType) }
            guard let token = form["refresh_token"] else { throw Problem(.malformedRequest) }
            return Response.json(try await redeem(token, unproven).json)
        }
        router.post("/api/auth/token/revoke") { request, context in
            let form = try await request.form()
            guard let token = form["token"] else { throw Problem(.malformedRequest) }
            try await revoke(token, from: address(of: context))
            return Response(status: .ok, headers: [.cacheControl: "no-store"])
        }
        router.post("/api/auth/token/introspect") { request, context in
            try await authenticateClient(request, from: address(of: context))
            let form = try await request.form()
            guard let token = form["token"] else { throw Problem(.malformedRequest) }
            return Response.json(try await introspection(of: token))
        }
    }

    // MARK: RFC 7009

    /// Whoever has a token may end it: that needs no proof. A token that means nothing here is revoked already.
    private func revoke(_ text: String, from address: ClientAddress) async throws {
        let now = clock()
        let refresh = try? RefreshToken(text, keys: keys.current.tags)
        let access = try accessToken(text, from: address, at: now)
        try admitNetwork(of: address, device: nil)
        let limits = configuration.limits
        let ended: AccountID? = try await database.decide { transaction in
            if let problem = try limits.take([.address(address)], at: now, in: transaction) { return .failure(problem) }
            if let access {
                // RFC 7009 section 2.1: it may leave the rest of the grant alone.
                try RevokedAccessTokens.add(access.id.bytes, until: access.expiresAt, in: transaction)
            }
            // Also by a token that was redeemed already: a client that lost the answer has no newer one. It is no new power:
            // at the token endpoint such a token ends the session as well.
            guard let refresh, let row = try Sessions.find(refresh.family, in: transaction),
                try Sessions.revoke(
                    row.id, at: now, reason: RefreshFamily.RevocationReason.signedOut.rawValue, in: transaction)
            else { return .success(nil) }
            try note(
                .sessionEnded, account: row.account, EventDetails(address, device: row.device, session: row.id),
                at: now,
                in: transaction)
            return .success(row.account)
        }
        if let ended { tell(.sessionEnded, account: ended) }
    }

    /// The access token that a text is; nil if it is none of ours. Its signature is verified, unless too many were wrong.
    private func accessToken(
        _ text: String, from address: ClientAddress, at now: Timestamp
    ) throws(Problem) -> AccessToken? {
        guard let unverified = try? verifier.read(text, now: now) else { return nil }
        let wrong = Problem(.invalidToken)
        do {
            let subject = proofMeter.subject(address, device: unverified.uncheckedToken.device.bytes)
            return try metered(subject, refusal: wrong) {
                () throws(TokensError) in try unverified.verified().token
            }
        } catch {
            if error == wrong { return nil }
            throw error
        }
    }

    // MARK: RFC 7662

    /// Whoever is no client is counted: its secret is not guessed at the speed of the line.
    private func authenticateClient(_ request: Request, from address: ClientAddress) async throws {
        guard !isClient(request) else { return }
        try admitNetwork(of: address, device: nil)
        let now = clock()
        let limits = configuration.limits
        try await database.decide { transaction -> Result<Void, Problem> in
            .failure(try limits.take([.address(address)], at: now, in: transaction) ?? Problem(.invalidClient))
        }
    }

    /// HTTP Basic (RFC 7617) with a secret of the configuration.
    private func isClient(_ request: Request) -> Bool {
        guard let credentials = request.credentials(scheme: "Basic"), let bytes = try? Base64.decode(credentials),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        let name = Array(bytes[..<colon])
        let hash = Array(SHA256.hash(data: bytes[bytes.index(after: colon)...]))
        // All clients are compared with, so that the time does not tell which names there are.
        var isKnown = false
        for client in configuration.introspectionClients {
            let matches = constantTimeEquals(hash, client.secretHash)
            isKnown = isKnown || (matches && Array(client.name.utf8) == name)
        }
        return isKnown
    }

    /// Of a token that is not good nothing is said but that.
    private func introspection(of text: String) async throws -> JSON {
        let now = clock()
        guard let token = try? verifier.verify(text, now: now).token,
            try await database.read({ try isAlive(token, at: now, in: $0) })
        else { return ["active": false] }
        // The token may have been issued in the last minutes of an assurance.
        let authentication = token.authentication.aged(at: now)
        return [
            "active": true, "token_type": "DPoP", "iss": .string(token.issuer), "aud": .string(token.audience),
            "client_id": .string(token.client), "sub": .string(token.account.description),
            "sid": .string(token.session.description), "jti": .string(token.id.description),
            "iat": JSON(token.issuedAt.seconds), "exp": JSON(token.expiresAt.seconds),
            "cnf": ["jkt": .string(token.device.description)],
            "auth_time": JSON(authentication.authenticatedAt.seconds),
            "acr": .string(authentication.acr),
            "amr": .array(authentication.methods.map { .string($0.rawValue) }),
            "scope": .string(token.scope.description),
        ]
    }
}
