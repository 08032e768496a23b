internal import AuthAPI
internal import Hummingbird
internal import Tokens

/// Whose request it is, proved: by an access token and a proof of the key that the token is bound to.
struct Caller: Sendable {
    let token: AccessToken
    let address: ClientAddress

    var account: AccountID { token.account }
    var session: SessionID { token.session }
}

/// A request that a device's key has signed, whoever's it is.
struct ProvenRequest: Sendable {
    let proof: VerifiedProof
    let address: ClientAddress

    /// RFC 7638 thumbprint of the device's key.
    var deviceKey: [UInt8] { proof.thumbprint.bytes }
}

extension Request {
    /// What the one `Authorization` header has after its scheme, whose case does not matter (RFC 9110 section 11.4).
    func credentials(scheme: String) -> String? {
        let headers = headers[values: .authorization]
        guard headers.count == 1, let parts = headers.first?.split(separator: " ", omittingEmptySubsequences: false),
            parts.count == 2, parts[0].lowercased() == scheme.lowercased()
        else { return nil }
        return String(parts[1])
    }
}

extension Backend {
    func address(of request: Request, _ context: AuthContext) -> ClientAddress {
        ClientAddress(of: request, peer: context.peer, transport: configuration.transport)
    }

    /// Verifies the proof of a request that needs no session. It is not spent yet: ``spend(_:in:)``.
    ///
    /// - Parameter status: of the refusal. RFC 9449 wants 400 of an authorization server, and 401 of a resource.
    func proven(_ request: Request, _ context: AuthContext, status: Int = 400) throws(Problem) -> ProvenRequest {
        ProvenRequest(
            proof: try verifyProof(of: request, presentedWith: .alone, status: status),
            address: address(of: request, context))
    }

    private func verifyProof(
        of request: Request, presentedWith presentation: DPoPProof.Presentation, status: Int
    ) throws(Problem) -> VerifiedProof {
        // RFC 9449 section 4.3, step 1: there is exactly one such header.
        let headers = request.headers[values: .dpop]
        guard headers.count == 1, let proof = headers.first,
            let url = try? ProofURL(issuer + request.uri.path)
        else { throw Problem(.invalidDPoPProof, status: status) }
        do {
            return try DPoPProof.verify(
                proof, method: request.method.rawValue, url: url, presentedWith: presentation,
                timeliness: .nonce(keys.current.nonces), now: clock())
        } catch {
            switch error.proofRefusal {
            case .useNonce: throw Problem(.useDPoPNonce, status: status)
            case .invalidProof: throw Problem(.invalidDPoPProof, status: status)
            }
        }
    }

    /// The last step of a proof: it was not seen before. In the transaction of what it allows.
    func spend(_ proof: VerifiedProof, in transaction: any Transaction) throws -> Bool {
        // What is spent is forgotten in time. A proof that lay about for longer, with a body that would not end, would be new
        // again: and whoever once saw it could send it for as long as he kept connections open.
        guard clock() < proof.keepUntil else { return false }
        return try SpentValues.spend(proof.replayValue, until: proof.keepUntil, in: transaction)
    }

    /// Who asks: the token is good, the proof is by its key and new, the session has not ended, the limits are kept.
    ///
    /// - Parameter isFresh: whether it takes a sign-in of the last minutes (RFC 9470).
    func caller(_ request: Request, _ context: AuthContext, isFresh: Bool = false) async throws -> Caller {
        let now = clock()
        // RFC 9449 section 7.1. A token that is sent as a bearer's is not looked at.
        guard let text = request.credentials(scheme: "DPoP"), let verified = try? verifier.verify(text, now: now)
        else { throw Problem(.invalidToken) }
        let proof = try verifyProof(of: request, presentedWith: .accessToken(verified), status: 401)
        let token = verified.token
        let caller = Caller(token: token, address: address(of: request, context))
        let limits = configuration.limits
        try await database.decide { transaction -> Result<Void, Problem> in
            guard try self.spend(proof, in: transaction) else {
                return .failure(Problem(.invalidDPoPProof, status: 401))
            }
            if let problem = try limits.take(
                [.address(caller.address), .session(token.session)], at: now, in: transaction)
            {
                return .failure(problem)
            }
            guard try self.isAlive(token, at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
            return .success(())
        }
        if isFresh { try requireFreshness(of: token, at: now) }
        return caller
    }

    /// Whether the session goes on, and the token was not revoked by itself.
    func isAlive(_ token: AccessToken, at now: Timestamp, in transaction: any Transaction) throws(StoreError) -> Bool {
        guard let session = try Sessions.find(token.session, in: transaction), session.account == token.account,
            session.revokedAt == nil, now < session.expiresAt
        else { return false }
        return try !RevokedAccessTokens.contains(token.id.bytes, in: transaction)
    }

    /// RFC 9470: for what is sensitive the passkey has to have been used lately.
    func requireFreshness(of token: AccessToken, at now: Timestamp) throws(Problem) {
        let age = configuration.sessions.stepUpAge
        guard token.authentication.isFresh(maxAge: age, now: now) else {
            throw Problem(.insufficientUserAuthentication, maxAge: Int(age.milliseconds / 1000))
        }
    }
}
