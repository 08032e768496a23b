internal import AuthAPI
internal import Hummingbird
internal import SQLStore
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

/// A request whose proof is right in all but its signature, which was not verified.
struct UnprovenRequest: Sendable {
    let proof: DPoPProof.Unverified
    let address: ClientAddress
    /// Of a refusal. RFC 9449 wants 400 of an authorization server, and 401 of a resource.
    let status: Int
}

extension Backend {
    /// - Throws: ``Problem`` with ``ProblemCode/clientUnnamed`` of a proxy's probe, which is nobody's request.
    func address(of context: AuthContext) throws(Problem) -> ClientAddress {
        guard let client = context.client else { throw Problem(.clientUnnamed) }
        return client
    }

    /// Verifies the proof of a request that has no session, and counts it against the networks of its address and against its
    /// device. It is not spent yet: ``spend(_:in:)``.
    func proven(_ request: Request, _ context: AuthContext) throws(Problem) -> ProvenRequest {
        let proven = try prove(try unproven(request, context))
        try admitNetwork(of: proven.address, device: proven.deviceKey)
        return proven
    }

    /// Counts a request without a session against the networks of its address.
    func admitNetwork(of address: ClientAddress, device: [UInt8]?) throws(Problem) {
        if let problem = networks.take(address, device: device, configuration.limits, at: clock()) { throw problem }
    }

    /// Checks all of a proof but its signature.
    ///
    /// - Parameter status: of the refusal. RFC 9449 wants 400 of an authorization server, and 401 of a resource.
    func unproven(
        _ request: Request, _ context: AuthContext, presentedWith presentation: DPoPProof.Presentation = .alone,
        status: Int = 400
    ) throws(Problem) -> UnprovenRequest {
        let address = try address(of: context)
        // RFC 9449 section 4.3, step 1: there is exactly one such header.
        let headers = request.headers[values: .dpop]
        guard headers.count == 1, let proof = headers.first,
            let url = try? ProofURL(issuer + request.uri.path)
        else { throw Problem(.invalidDPoPProof, status: status) }
        do {
            let proof = try DPoPProof.read(
                proof, method: request.method.rawValue, url: url, presentedWith: presentation,
                timeliness: .nonce(keys.current.nonces), now: clock())
            return UnprovenRequest(proof: proof, address: address, status: status)
        } catch {
            switch error.proofRefusal {
            case .useNonce: throw Problem(.useDPoPNonce, status: status)
            case .invalidProof: throw Problem(.invalidDPoPProof, status: status)
            }
        }
    }

    /// Verifies the signature of a proof, unless too many were wrong.
    ///
    /// - Parameter session: of a refresh token that came with it and that this server made.
    func prove(_ request: UnprovenRequest, session: SessionID? = nil) throws(Problem) -> ProvenRequest {
        let subject = proofMeter.subject(
            request.address, device: request.proof.uncheckedThumbprint.bytes, session: session)
        let proof = try metered(subject, refusal: Problem(.invalidDPoPProof, status: request.status)) {
            () throws(TokensError) in try request.proof.verified()
        }
        return ProvenRequest(proof: proof, address: request.address)
    }

    /// Verifies a signature, unless too many were wrong. One that is right takes nothing.
    func metered<Value>(
        _ subject: ProofMeter.Subject, refusal: Problem, _ verify: () throws(TokensError) -> Value
    ) throws(Problem) -> Value {
        let now = clock()
        if let wait = proofMeter.wait(for: subject, at: now) {
            throw Problem(.rateLimited, retryAfter: wait.wholeSeconds, limit: "proofs")
        }
        do {
            return try verify()
        } catch {
            proofMeter.noteFailure(of: subject, at: now)
            throw refusal
        }
    }

    /// The last step of a proof: it was not seen before. In the transaction of what it allows.
    func spend(_ proof: VerifiedProof, in transaction: any Transaction) throws -> Bool {
        // What is spent is forgotten in time. A proof that lay about for longer, with a body that would not end, would be new
        // again: and whoever once saw it could send it for as long as he kept connections open.
        guard clock() < proof.keepUntil else { return false }
        return try ReplayCache.spend(proof.replayValue, until: proof.keepUntil, in: transaction)
    }

    /// Who asks: the token is good, the proof is by its key and new, the session has not ended, the limits are kept.
    ///
    /// What costs little is checked first: all of the token and of the proof, then the two signatures, then the store.
    ///
    /// - Parameter isFresh: whether it takes a sign-in of the last minutes (RFC 9470).
    func caller(_ request: Request, _ context: AuthContext, isFresh: Bool = false) async throws -> Caller {
        let now = clock()
        // RFC 9449 section 7.1. A token that is sent as a bearer's is not looked at.
        guard let text = request.credentials(scheme: "DPoP"), let unverified = try? verifier.read(text, now: now)
        else { throw Problem(.invalidToken) }
        let unproven = try unproven(
            request, context, presentedWith: .unverifiedAccessToken(unverified), status: 401)
        let subject = proofMeter.subject(unproven.address, device: unproven.proof.uncheckedThumbprint.bytes)
        let token = try metered(subject, refusal: Problem(.invalidToken)) {
            () throws(TokensError) in try unverified.verified().token
        }
        if let wait = pauses.wait(for: token.session, at: now) {
            throw Problem(.rateLimited, retryAfter: wait.wholeSeconds, limit: Limited.session(token.session).kind)
        }
        let proof = try prove(unproven).proof
        let caller = Caller(token: token, address: unproven.address)
        do {
            try await admit(caller, proof, at: now)
        } catch let problem as Problem {
            if problem.limit == Limited.session(token.session).kind, let seconds = problem.retryAfter {
                pauses.pause(token.session, until: now.adding(.seconds(Int64(seconds))))
            }
            // A proof that came twice has cost the verification of two signatures, and no limit has counted it.
            if problem.code == .invalidDPoPProof { proofMeter.noteFailure(of: subject, at: now) }
            throw problem
        }
        proofMeter.remember(token.device.bytes)
        if isFresh { try requireFreshness(of: token, at: now) }
        return caller
    }

    private func admit(_ caller: Caller, _ proof: VerifiedProof, at now: Timestamp) async throws {
        let (token, limits) = (caller.token, configuration.limits)
        try await database.decide { transaction -> Result<Void, Problem> in
            // Above all else: whoever is told to wait has to find the proof unspent. Not against its address: that is shared by
            // people, and the session is not.
            if let problem = try limits.take([.session(token.session)], at: now, in: transaction) {
                return .failure(problem)
            }
            guard try self.spend(proof, in: transaction) else {
                return .failure(Problem(.invalidDPoPProof, status: 401))
            }
            guard try self.isAlive(token, at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
            return .success(())
        }
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
