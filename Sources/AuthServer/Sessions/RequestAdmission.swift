internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import ServerHTTP
internal import Time
internal import Tokens

/// The checks before every request: the signature of its proof, the limits of networks, devices and addresses, and that
/// its proof is used once.
struct RequestAdmission: Sendable {
    let database: any Database
    let limits: ServerConfiguration.LimitSettings
    let networks: NetworkLimits
    let meter: ProofMeter
    let clock: @Sendable () -> Timestamp

    /// Counts a request without a session for the networks of its address.
    func admitNetwork(of address: ClientAddress, device: [UInt8]?) throws(Problem) {
        if let problem = networks.take(address, device: device, limits, at: clock()) { throw problem }
    }

    /// Counts a request of a device without a session for its address, and spends its proof.
    func admit(_ request: ProvenRequest, also limited: [Limited] = []) async throws {
        let now = clock()
        try await database.decide { transaction -> Result<Void, Problem> in
            if let problem = try admit(request, also: limited, at: now, in: transaction) {
                return .failure(problem)
            }
            return .success(())
        }
        meter.remember(request.deviceKey)
    }

    /// Counts a request of a device without a session, and spends its proof, in a transaction that does more. Returns
    /// nil if the request is allowed, or the problem to answer with.
    func admit(
        _ request: ProvenRequest, also limited: [Limited] = [], at now: Timestamp, in transaction: any Transaction
    ) throws -> Problem? {
        if let problem = try limits.take([.address(request.address)] + limited, at: now, in: transaction) {
            return problem
        }
        return try spend(request.proof, in: transaction) ? nil : Problem(.invalidDPoPProof, status: 400)
    }

    /// Verifies the signature of a proof, unless too many were wrong.
    ///
    /// - Parameter session: the session of a refresh token that accompanied the proof and that this server made.
    func prove(_ request: UnprovenRequest, session: SessionID? = nil) throws(Problem) -> ProvenRequest {
        let subject = meter.subject(
            request.address, device: request.proof.uncheckedThumbprint.bytes, session: session)
        let proof = try meter.verified(
            for: subject, refusal: Problem(.invalidDPoPProof, status: request.status), at: clock()
        ) { () throws(TokensError) in try request.proof.verified() }
        return ProvenRequest(proof: proof, address: request.address)
    }

    /// Spends a proof, in the transaction that it authorizes. Returns false if the proof was seen before.
    func spend(_ proof: VerifiedProof, in transaction: any Transaction) throws -> Bool {
        // Spent proofs are deleted after some time. A proof that arrived with a very slow body could be older than that
        // and would count as new: an attacker who once saw it could keep connections open and send it later.
        guard clock() < proof.keepUntil else { return false }
        return try ReplayCache.spend(proof.replayValue, until: proof.keepUntil, in: transaction)
    }
}
