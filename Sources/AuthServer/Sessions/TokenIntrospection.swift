internal import AuthAPI
internal import AuthSettings
internal import Crypto
internal import SQLStore
internal import Secrets
internal import ServerHTTP
internal import Time
internal import Tokens

/// Tells the operator's services whether an access token is valid (RFC 7662).
struct TokenIntrospection: Sendable {
    /// The URL of the server as text.
    let issuer: String
    let clients: [ServerConfiguration.IntrospectionClient]
    let database: any Database
    let keys: KeyRing
    let limits: ServerConfiguration.LimitSettings
    let admission: RequestAdmission
    let clock: @Sendable () -> Timestamp

    /// The name and the secret of a service.
    struct Credentials: Sendable {
        let name: [UInt8]
        let secret: [UInt8]
    }

    /// A valid token.
    struct ActiveToken: Sendable {
        let token: AccessToken
        /// The sign-in as of now: its assurance may have decreased since the token was issued.
        let authentication: AuthenticationContext
    }

    /// Requires a configured name and secret. A failed attempt is counted, so that secrets cannot be guessed at line
    /// speed.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/invalidClient``, or the problem of a limit.
    func authenticate(_ credentials: Credentials?, from address: ClientAddress) async throws {
        if let credentials, isClient(credentials) { return }
        try admission.admitNetwork(of: address, device: nil)
        let now = clock()
        try await database.decide { transaction -> Result<Void, Problem> in
            .failure(try limits.take([.address(address)], at: now, in: transaction) ?? Problem(.invalidClient))
        }
    }

    private func isClient(_ credentials: Credentials) -> Bool {
        let hash = Array(SHA256.hash(data: credentials.secret))
        // The secret is compared with those of all clients, so that the time does not reveal which names exist.
        var isKnown = false
        for client in clients {
            let matches = constantTimeEquals(hash, client.secretHash)
            isKnown = isKnown || (matches && Array(client.name.utf8) == credentials.name)
        }
        return isKnown
    }

    /// Returns the token of a text if it is valid now; otherwise nil.
    func activeToken(_ text: String) async throws -> ActiveToken? {
        let now = clock()
        guard let token = try? keys.verifier(issuer: issuer).verify(text, now: now).token,
            try await database.read({ try token.isAlive(at: now, in: $0) })
        else { return nil }
        return ActiveToken(token: token, authentication: token.authentication.aged(at: now))
    }
}
