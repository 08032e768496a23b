internal import AuthSettings
internal import Logging
internal import SQLStore
internal import Secrets
internal import ServerAudit
internal import ServerHTTP
internal import Time
internal import WebAuthn

/// The use cases of the server, composed with their dependencies.
struct UseCases: Sendable {
    let authentication: RequestAuthentication
    let registration: PasskeyRegistration
    let signIn: PasskeyAuthentication
    let passkeys: RegisteredPasskeys
    let refresh: TokenRefresh
    let revocation: TokenRevocation
    let introspection: TokenIntrospection
    let sessions: ActiveSessions
    let devices: RegisteredDevices
    let deviceAttestation: DeviceKeyAttestation
    let recovery: AccountRecovery
    let recoveryCodes: RecoveryCodeReplacement
    let export: AccountExport
    let erasure: AccountErasure
    let history: SecurityEventHistory
    let readiness: StoreReadiness

    /// Composes the use cases.
    ///
    /// - Parameter clock: returns the time. Tests set it.
    init(
        _ configuration: ServerConfiguration, database: any Database, sealer: ColumnSealer, keys: KeyRing,
        relyingParty: RelyingParty, attestationPolicies: Reloadable<AttestationPolicy>, audit: ServerAuditLog?,
        metrics: Metrics,
        logger: Logger, clock: @escaping @Sendable () -> Timestamp, random: any RandomSource
    ) {
        let issuer = configuration.publicURL.description
        let limits = configuration.limits
        let events = SecurityEventLog(
            sealer: sealer, random: random, reporting: SecurityEventLog.Reporting(metrics: metrics, logger: logger),
            audit: audit?.outbox)
        let meter = ProofMeter()
        let stepUp = StepUp(maxAge: configuration.sessions.stepUpAge)
        let hashing = RecoveryHashing()

        // Shared by several use cases.
        let admission = RequestAdmission(
            database: database, limits: limits, networks: NetworkLimits(), meter: meter, clock: clock)
        let challenges = CeremonyChallenges(keys: keys, clock: clock, random: random)
        let webAuthn = RegistrationCeremony(
            relyingParty: relyingParty, policies: attestationPolicies,
            asksForAttestation: configuration.attestation.isOfUse)
        let issuance = SessionIssuance(
            issuer: issuer, keys: keys, settings: configuration.sessions, sealer: sealer, events: events, random: random
        )
        let generation = RecoveryCodeGeneration(hashing: hashing, random: random)

        authentication = RequestAuthentication(
            issuer: issuer, database: database, keys: keys, limits: limits, admission: admission, meter: meter,
            pauses: Pauses(), stepUp: stepUp, clock: clock)
        recovery = AccountRecovery(
            database: database, sealer: sealer, webAuthn: webAuthn, challenges: challenges, admission: admission,
            limits: limits, hashing: hashing, events: events, clock: clock, random: random)
        recoveryCodes = RecoveryCodeReplacement(
            database: database, limits: limits, generation: generation, events: events, clock: clock)
        registration = PasskeyRegistration(
            database: database, sealer: sealer, webAuthn: webAuthn, challenges: challenges, admission: admission,
            stepUp: stepUp,
            signUp: SignUpAdmission(rule: configuration.signUp, limits: limits, database: database, clock: clock),
            recovery: recovery, recoveryCodes: generation, sessions: issuance, events: events, clock: clock,
            random: random)
        signIn = PasskeyAuthentication(
            database: database, sealer: sealer, relyingParty: relyingParty,
            allowsNewBackupEligibility: configuration.allowsNewBackupEligibility,
            requiresAttestation: configuration.attestation.isRequired, challenges: challenges, admission: admission,
            sessions: issuance, events: events, clock: clock)
        passkeys = RegisteredPasskeys(database: database, sealer: sealer, events: events, clock: clock)
        refresh = TokenRefresh(
            database: database, keys: keys, settings: configuration.sessions, limits: limits, admission: admission,
            meter: meter, sessions: issuance, events: events, clock: clock, random: random)
        revocation = TokenRevocation(
            issuer: issuer, database: database, keys: keys, limits: limits, admission: admission, meter: meter,
            events: events, clock: clock)
        introspection = TokenIntrospection(
            issuer: issuer, clients: configuration.introspectionClients, database: database, keys: keys,
            limits: limits, admission: admission, clock: clock)
        sessions = ActiveSessions(database: database, sealer: sealer, events: events, clock: clock)
        devices = RegisteredDevices(database: database, sealer: sealer, stepUp: stepUp, events: events, clock: clock)
        deviceAttestation = DeviceKeyAttestation(
            database: database, sealer: sealer, relyingParty: relyingParty, policies: attestationPolicies,
            challenges: challenges, limits: limits, events: events, clock: clock)
        export = AccountExport(
            database: database, sealer: sealer, limits: limits, places: Places(Limits.exportsAtOnce), events: events,
            clock: clock)
        erasure = AccountErasure(database: database, sealer: sealer, events: events, clock: clock)
        history = SecurityEventHistory(database: database, sealer: sealer)
        readiness = StoreReadiness(
            readiness: Readiness(), database: database, sealer: sealer, audit: audit, clock: clock, random: random
        )
    }
}
