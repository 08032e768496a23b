internal import AuthAPI
internal import SQLStore
internal import Tokens

/// The limits and the proof that stand before every request: a proof's signature, the buckets of networks, devices and addresses, and
/// that a proof is used once.
struct RequestAdmission: Sendable {
    let database: any Database
    let limits: ServerConfiguration.LimitSettings
    let networks: NetworkLimits
    let meter: ProofMeter
    let clock: @Sendable () -> Timestamp

    /// Counts a request without a session against the networks of its address.
    func admitNetwork(of address: ClientAddress, device: [UInt8]?) throws(Problem) {
        if let problem = networks.take(address, device: device, limits, at: clock()) { throw problem }
    }

    /// Counts a request of a device without a session against the limit of its address, and spends its proof.
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

    /// Counts a request of a device without a session, and spends its proof, in a transaction that does more. Nil if it may go on;
    /// else what to answer.
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
    /// - Parameter session: of a refresh token that came with it and that this server made.
    func prove(_ request: UnprovenRequest, session: SessionID? = nil) throws(Problem) -> ProvenRequest {
        let subject = meter.subject(
            request.address, device: request.proof.uncheckedThumbprint.bytes, session: session)
        let proof = try meter.verified(
            for: subject, refusal: Problem(.invalidDPoPProof, status: request.status), at: clock()
        ) { () throws(TokensError) in try request.proof.verified() }
        return ProvenRequest(proof: proof, address: request.address)
    }

    /// Spends a proof, in the transaction of what it allows. Returns false if it was seen before.
    func spend(_ proof: VerifiedProof, in transaction: any Transaction) throws -> Bool {
        // What is spent is forgotten in time. A proof that lay about for longer, with a body that would not end, would be new
        // again: an attacker who once saw it could send it for as long as he kept connections open.
        guard clock() < proof.keepUntil else { return false }
        return try ReplayCache.spend(proof.replayValue, until: proof.keepUntil, in: transaction)
    }
}
