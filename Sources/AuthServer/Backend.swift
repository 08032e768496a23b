internal import AuthAPI
internal import Encoding
internal import Logging
internal import SQLStore
internal import Secrets
internal import Tokens
internal import WebAuthn

/// What all endpoints work with.
struct Backend: Sendable {
    let configuration: ServerConfiguration
    /// The URL of the server as text.
    let issuer: String
    let database: any Database
    let sealer: ColumnSealer
    let keys: KeyRing
    let relyingParty: RelyingParty
    let attestationPolicies: Reloadable<AttestationPolicy>
    let metrics: Metrics
    let requestIDs: RequestIDs
    /// When the certificate of this server expires, in seconds since 1970.
    let certificateExpiry = Reading()
    /// For what the metrics tell of the connections: ``ConnectionTable/counts``.
    let connections: ConnectionTable
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource
    let recoveryHashing: RecoveryHashing
    let proofMeter: ProofMeter
    let networks: NetworkLimits
    let logger: Logger
    let readiness = Readiness()
    let pauses = Pauses()
    let exports = Places(Limits.exportsAtOnce)

    var attestationPolicy: AttestationPolicy { attestationPolicies.current }

    /// `aud` of the access tokens: this server, and whoever it tells of its keys.
    var audience: String { issuer }

    var verifier: AccessToken.Verifier {
        AccessToken.Verifier(issuer: issuer, audience: audience, keys: keys.current.verification)
    }

    /// Notes an event in the transaction of what it is about.
    func note(
        _ event: SecurityEvent, account: AccountID?, _ details: EventDetails, at now: Timestamp,
        in transaction: any Transaction
    ) throws(StoreError) {
        try SecurityEvents.add(
            SecurityEventRow(
                id: random.publicBytes(count: 16), account: account, kind: event.rawValue, at: now,
                details: details.json.encoded),
            sealer: sealer, in: transaction)
    }

    /// Counts an event, and tells the log of it, after the transaction: not twice if that ran twice.
    func tell(_ event: SecurityEvent, account: AccountID? = nil) {
        metrics.count(event: event.rawValue)
        var metadata: Logger.Metadata = ["event": "\(event.rawValue)"]
        if let account { metadata["account"] = "\(account)" }
        if let id = RequestScope.id { metadata["request_id"] = "\(id)" }
        logger.notice("security event", metadata: metadata)
    }
}

extension Database {
    /// A transaction that may end in a refusal.
    ///
    /// A problem that the body returns is an outcome: what was written before it stays, such as a limit that was counted and
    /// a proof that was spent. A problem that it throws takes everything back.
    func decide<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result<Value, Problem>
    ) async throws -> Value {
        try await write(body).get()
    }
}
