internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import ServerHTTP
internal import Time
internal import Tokens

/// Identifies the sender of a request: a device by its proof, or a caller by the access token and the proof.
struct RequestAuthentication: Sendable {
    /// The URL of the server as text: tokens and proofs name it.
    let issuer: String
    let database: any Database
    let keys: KeyRing
    let limits: ServerConfiguration.LimitSettings
    let admission: RequestAdmission
    let meter: ProofMeter
    let pauses: Pauses
    let stepUp: StepUp
    let clock: @Sendable () -> Timestamp

    /// Returns the sender of a ceremony: the caller if the request has an access token, otherwise the device.
    func sender(_ request: PresentedRequest) async throws -> CeremonySender {
        request.hasAuthorization ? .caller(try await caller(request)) : .device(try proven(request))
    }

    /// Verifies the proof of a request without a session, and counts it for the networks of its address and for its
    /// device. The proof is not spent yet: see ``RequestAdmission/spend(_:in:)``.
    func proven(_ request: PresentedRequest) throws(Problem) -> ProvenRequest {
        let proven = try admission.prove(try unproven(request))
        try admission.admitNetwork(of: proven.address, device: proven.deviceKey)
        return proven
    }

    /// Checks a proof except for its signature.
    ///
    /// - Parameter status: the HTTP status of a refusal. RFC 9449 requires 400 from an authorization server, and 401
    ///   from a resource.
    func unproven(
        _ request: PresentedRequest, presentedWith presentation: DPoPProof.Presentation = .alone, status: Int = 400
    ) throws(Problem) -> UnprovenRequest {
        guard let proof = request.proof, let url = try? ProofURL(issuer + request.path) else {
            throw Problem(.invalidDPoPProof, status: status)
        }
        do {
            let proof = try DPoPProof.read(
                proof, method: request.method, url: url, presentedWith: presentation,
                timeliness: .nonce(keys.current.nonces), now: clock())
            return UnprovenRequest(proof: proof, address: request.address, status: status)
        } catch {
            switch error.proofRefusal {
            case .useNonce: throw Problem(.useDPoPNonce, status: status)
            case .invalidProof: throw Problem(.invalidDPoPProof, status: status)
            }
        }
    }

    /// Returns the caller. The token is valid, the proof is new and signed by the token's key, the session is active,
    /// and no limit is exceeded.
    func caller(_ request: PresentedRequest) async throws -> Caller {
        try await caller(request, at: clock())
    }

    /// Returns a caller who used a passkey in the last minutes (RFC 9470).
    func freshCaller(_ request: PresentedRequest) async throws -> FreshCaller {
        let now = clock()
        return try stepUp.require(try await caller(request, at: now), at: now)
    }

    /// Returns the caller. Cheap checks come first: the whole token and proof, then the two signatures, then the store.
    private func caller(_ request: PresentedRequest, at now: Timestamp) async throws -> Caller {
        guard let text = request.accessToken,
            let unverified = try? keys.verifier(issuer: issuer).read(text, now: now)
        else { throw Problem(.invalidToken) }
        let unproven = try unproven(request, presentedWith: .unverifiedAccessToken(unverified), status: 401)
        let subject = meter.subject(unproven.address, device: unproven.proof.uncheckedThumbprint.bytes)
        let token = try meter.verified(for: subject, refusal: Problem(.invalidToken), at: clock()) {
            () throws(TokensError) in try unverified.verified().token
        }
        if let wait = pauses.wait(for: token.session, at: now) {
            throw Problem(.rateLimited, retryAfter: wait.wholeSeconds, limit: Limited.session(token.session).kind)
        }
        let proof = try admission.prove(unproven).proof
        let caller = Caller(token: token, address: unproven.address)
        do {
            try await admit(caller, proof, at: now)
        } catch let problem as Problem {
            if problem.limit == Limited.session(token.session).kind, let seconds = problem.retryAfter {
                pauses.pause(token.session, until: now.adding(.seconds(Int64(seconds))))
            }
            // A repeated proof has cost the verification of two signatures, and no limit has counted it.
            if problem.code == .invalidDPoPProof { meter.noteFailure(of: subject, at: now) }
            throw problem
        }
        meter.remember(token.device.bytes)
        return caller
    }

    private func admit(_ caller: Caller, _ proof: VerifiedProof, at now: Timestamp) async throws {
        let token = caller.token
        try await database.decide { transaction -> Result<Void, Problem> in
            // The limit is checked first: a client that is told to wait has to find its proof unspent. The session is
            // counted and not the address, which several people may share.
            if let problem = try limits.take([.session(token.session)], at: now, in: transaction) {
                return .failure(problem)
            }
            guard try admission.spend(proof, in: transaction) else {
                return .failure(Problem(.invalidDPoPProof, status: 401))
            }
            guard try token.isAlive(at: now, in: transaction) else { return .failure(Problem(.invalidToken)) }
            return .success(())
        }
    }
}

extension AccessToken {
    /// Returns whether the session is active, and the token was not revoked individually.
    func isAlive(at now: Timestamp, in transaction: any Transaction) throws(StoreError) -> Bool {
        guard let row = try Sessions.find(session, in: transaction), row.account == account, row.revokedAt == nil,
            now < row.expiresAt
        else { return false }
        return try !RevokedAccessTokens.contains(id.bytes, in: transaction)
    }
}
