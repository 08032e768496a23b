internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import ServerHTTP
internal import Time
internal import Tokens

/// The OAuth endpoints for tokens: refresh (RFC 6749), revocation (RFC 7009), introspection (RFC 7662).
struct TokenRoutes: Sendable {
    let authentication: RequestAuthentication
    let refresh: TokenRefresh
    let revocation: TokenRevocation
    let introspection: TokenIntrospection

    func add(to router: Router<ServerContext>) {
        router.post("/api/auth/token/validate") { request, context in
            let unproven = try authentication.unproven(PresentedRequest(request, context))
            let body = try TokenValidation(try await request.json())
            return Response.json(try await refresh.redeem(body.refreshToken, unproven).json)
        }
        router.post("/api/auth/token") { request, context in
            let unproven = try authentication.unproven(PresentedRequest(request, context))
            let grant = try RefreshGrant(try await request.form())
            return Response.json(try await refresh.redeem(grant.refreshToken, unproven).json)
        }
        router.post("/api/auth/token/revoke") { request, context in
            let form = try await request.form()
            guard let token = form["token"] else { throw Problem(.malformedRequest) }
            try await revocation.revoke(token, from: try context.address)
            return Response(status: .ok, headers: [.cacheControl: "no-store"])
        }
        router.post("/api/auth/token/introspect") { request, context in
            try await introspection.authenticate(request.clientCredentials, from: try context.address)
            let form = try await request.form()
            guard let token = form["token"] else { throw Problem(.malformedRequest) }
            return Response.json(try await introspection.activeToken(token)?.json ?? ["active": false])
        }
    }
}

/// The form of a refresh (RFC 6749 section 6).
private struct RefreshGrant {
    let refreshToken: String

    init(_ form: [String: String]) throws(Problem) {
        guard let type = form["grant_type"] else { throw Problem(.malformedRequest) }
        guard type == "refresh_token" else { throw Problem(.unsupportedGrantType) }
        guard let token = form["refresh_token"] else { throw Problem(.malformedRequest) }
        refreshToken = token
    }
}

extension Request {
    /// The name and the secret of HTTP Basic (RFC 7617); nil without that scheme.
    fileprivate var clientCredentials: TokenIntrospection.Credentials? {
        guard let credentials = credentials(scheme: "Basic"), let bytes = try? Base64.decode(credentials),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return TokenIntrospection.Credentials(
            name: Array(bytes[..<colon]), secret: Array(bytes[bytes.index(after: colon)...]))
    }
}

extension TokenIntrospection.ActiveToken {
    /// The answer of RFC 7662 section 2.2. For an invalid token it reveals only that the token is not active.
    fileprivate var json: JSON {
        [
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
