internal import AuditLog
public import AuthSettings
internal import AuthStore
internal import Files
internal import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import SQLStore
public import Secrets
internal import ServerAudit
public import ServerHTTP
internal import ServiceLifecycle
internal import Time
internal import UnixSignals
internal import WebAuthn

public import struct AuthSettings.ServerConfiguration

/// The server of the role `auth`: it signs people in with passkeys, and issues sessions and device-bound tokens.
///
/// ```swift
/// let server = try await AuthServer(configuration, home: home, passphrase: passphrase, logger: logger)
/// try await server.run { print("ready on \($0)") }
/// ```
public struct AuthServer: Sendable {
    let configuration: ServerConfiguration
    let useCases: UseCases
    let database: any Database
    let sealer: ColumnSealer
    /// The server's own keys, as last read from the store.
    let keys: KeyRing
    private let rotation: KeyRotation
    let attestationPolicies: Reloadable<AttestationPolicy>
    /// The operator's logo; nil without one.
    let logo: Reloadable<PageLogo>?
    let metrics = Metrics()
    /// Nil for a server without an audit log.
    let audit: ServerAuditLog?
    /// Nil for a server that witnesses no log.
    let witnessing: LogWitnessing?
    /// Shows other servers that this one serves with its SQLite store; nil for PostgreSQL, and for a second server.
    private let storeLock: FileLock?
    private let requestIDs = RequestIDs(random: SystemRandom())
    /// The time when the certificate of this server expires, in seconds since 1970.
    let certificateExpiry = Reading()
    let clock: @Sendable () -> Timestamp
    let logger: Logger
    let transport: ServerTransport

    /// Opens the store, runs its migrations, and makes missing keys. The server does not listen yet.
    ///
    /// - Parameters:
    ///   - home: the folder of the vault and of a SQLite store.
    ///   - passphrase: the passphrase of the vault.
    ///   - droppedLogLines: returns the number of lines that the logger has dropped, for the metrics.
    /// - Throws: `StartupError`, `CertificateFault`.
    public init(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes, logger: Logger,
        droppedLogLines: @escaping @Sendable () -> Int = { 0 }
    ) async throws {
        var lock: FileLock?
        if case .sqlite(let name) = configuration.store {
            let path = home.absolute(name)
            if !home.hasFile(path) { logger.info("made a new store", metadata: .of([.file: "\(path)"])) }
            lock = Self.lockStore(at: path, logger)
        }
        try await self.init(
            configuration, sealer: try await home.sealer(passphrase: passphrase, random: SystemRandom()),
            database: try await home.database(configuration.store), clock: Timestamp.now, random: SystemRandom(),
            logger: logger, home: home, storeLock: lock, droppedLogLines: droppedLogLines)
    }

    /// Two servers with one SQLite store wait for each other's writes, and each has its own limits. While one takes over from
    /// the other, both may run for a moment.
    private static func lockStore(at path: String, _ logger: Logger) -> FileLock? {
        do { return try FileLock(on: path) } catch .lockedByAnother {
            logger.warning("another server serves with this store", metadata: .of([.file: "\(path)"]))
        } catch {
            // Opening the store reports a fault of its folder.
        }
        return nil
    }

    /// - Parameters:
    ///   - clock: returns the time. Tests set it.
    ///   - home: the folder at which relative paths of the audit log begin.
    ///   - storeLock: held as long as the server.
    ///   - uptime: reads a clock that does not go back.
    ///   - openingLog: opens the audit log.
    init(
        _ configuration: ServerConfiguration, sealer: ColumnSealer, database: any Database,
        clock: @escaping @Sendable () -> Timestamp, random: any RandomSource, logger: Logger,
        home: ServerHome = ServerHome(path: "."), storeLock: FileLock? = nil,
        uptime: @escaping @Sendable () -> Timestamp.Span = { ClockReading.now().uptime },
        openingLog: @escaping AuditOpening = AuditPlaces.opening,
        droppedLogLines: @escaping @Sendable () -> Int = { 0 }
    ) async throws {
        let files = OpenFiles.limit
        let limits = ConnectionLimits(configuration.connections, files: files)
        if limits.total < configuration.connections.total {
            logger.warning(
                "fewer connections than limits.connections",
                metadata: .of([.connections: "\(limits.total)", .openFiles: "\(files)"]))
        }
        transport = try ServerTransport(
            configuration.transport, names: configuration.hostNames, access: configuration.operatorAccess, limits)
        logo = try configuration.page.logoPath.map { Reloadable(try PageLogo.read($0)) }
        let now = clock()
        for name in try await Migrator.migrate(database, at: now, to: AuthTables.migrations) {
            logger.info("migrated", metadata: .of([.migration: "\(name)"]))
        }
        rotation = KeyRotation(
            database: database, sealer: sealer, sessions: configuration.sessions, random: random)
        keys = KeyRing(try await Self.keys(of: rotation, at: now))
        let relyingParty = try configuration.webAuthnRelyingParty
        attestationPolicies = Reloadable(
            try await Self.policy(configuration.attestation, noting: database, at: now))
        audit = try await Self.audit(
            configuration, home: home, database: database, sealer: sealer, keys: keys, clock: clock, uptime: uptime,
            random: random, logger: logger, opening: openingLog)
        // The log learns which events are committed from now on.
        let database: any Database = audit.map { AuditedDatabase(database, outbox: $0.outbox) } ?? database
        witnessing = try Self.witnessing(configuration, home: home, database: database, keys: keys, clock: clock)
        useCases = UseCases(
            configuration, database: database, sealer: sealer, keys: keys,
            relyingParty: relyingParty, attestationPolicies: attestationPolicies, audit: audit,
            metrics: metrics, logger: logger, clock: clock, random: random)
        self.configuration = configuration
        self.storeLock = storeLock
        self.database = database
        self.sealer = sealer
        self.clock = clock
        self.logger = logger
        let memory = SecretMemory.state
        if memory.unlocked > 0 {
            logger.warning(
                "secrets are not locked in memory",
                metadata: .of([
                    .unlockedBytes: "\(memory.unlocked)",
                    .lockLimit: "\(SecretMemory.lockLimit.map(String.init) ?? "none")",
                ]))
        }
        certificateExpiry.set(ServerTransport.certificateExpiry(configuration.transport))
        ServerFigures(
            metrics: metrics, database: database, connections: transport.table, keys: keys,
            certificateExpiry: certificateExpiry, attestationPolicies: attestationPolicies, clock: clock
        ).register()
        audit?.register(in: metrics)
        metrics.counter(
            "fuekid_log_lines_dropped_total", "Lines of the log that found no room or could not be written."
        ) { Double(droppedLogLines()) }
    }

    /// Opens the audit log, and copies the events that wait for it; nil if the settings name no reader.
    private static func audit(
        _ configuration: ServerConfiguration, home: ServerHome, database: any Database, sealer: ColumnSealer,
        keys: KeyRing, clock: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Timestamp.Span,
        random: any RandomSource, logger: Logger, opening: @escaping AuditOpening
    ) async throws -> ServerAuditLog? {
        guard let places = AuditPlaces(configuration.audit, home: home) else {
            logger.warning("no audit log: security events are only in the store; see `fuekid audit key`")
            return nil
        }
        do {
            let audit = try ServerAuditLog(
                places, database: database, sealer: sealer,
                signer: AuditKeys(keys.current).signer(ofLog: places.name), clock: clock, uptime: uptime,
                random: random, logger: logger, opening: opening)
            try await audit.start()
            return audit
        } catch let fault as AuditFault {
            throw StartupError.auditLog(folder: places.folder, fault)
        } catch let error as AuditLogError {
            throw StartupError.auditLog(folder: places.folder, AuditFault(error))
        }
    }

    private static func witnessing(
        _ configuration: ServerConfiguration, home: ServerHome, database: any Database, keys: KeyRing,
        clock: @escaping @Sendable () -> Timestamp
    ) throws -> LogWitnessing? {
        guard let path = configuration.witness.logsPath else { return nil }
        let logs = try WitnessedLogs.ofOperator(path)
        do {
            return try LogWitnessing(
                by: AuditKeys(keys.current).signer(ofWitness: configuration.witness.name), logs: logs,
                folder: home.absolute(configuration.witness.folder), database: database, clock: clock)
        } catch {
            throw StartupError.witnessedLogs(path, "\(configuration.witness.folder): the folder cannot be used")
        }
    }

    static func policy(
        _ settings: ServerConfiguration.AttestationSettings, noting database: any Database, at now: Timestamp
    ) async throws -> AttestationPolicy {
        let policy = try AttestationFiles.policy(settings, at: now)
        if let blob = policy.metadata?.blob, let path = settings.metadataPath {
            let number = blob.number
            let highest = try await database.write {
                try MetadataNumbers.note(number, of: MetadataBLOB.service, in: $0)
            }
            try AttestationFiles.require(blob, in: path, notBelow: highest)
        }
        return policy
    }

    private static func keys(of rotation: KeyRotation, at now: Timestamp) async throws -> KeyRing.Snapshot {
        do {
            return try await rotation.keys(at: now)
        } catch StoreError.unknownSealingKey, StoreError.sealIsBroken {
            throw StartupError.otherMasterKey
        }
    }

    /// Serves until the process gets SIGTERM or SIGINT, and then finishes the requests under way. On SIGHUP it reads
    /// the files that the settings name again.
    ///
    /// - Parameters:
    ///   - manager: the service manager that gets notices about the server's state.
    ///   - onReady: called once when the server listens, with the port.
    public func run(notifying manager: ServiceManager? = nil, onReady: @escaping @Sendable (Int) -> Void) async throws {
        let application = application { port in
            onReady(port)
            manager?.send(.ready)
        }
        // Services end in the opposite order: the audit log is closed after the last request.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] =
            audit.map { [.init(service: $0.service)] } ?? []
        services += [
            .init(service: maintenance),
            .init(service: Reloading(server: self, signals: await UnixSignalsSequence(trapping: .sighup))),
            .init(service: application),
        ]
        // The service manager is added last, so it is the first to hear that the server ends.
        if let manager {
            services.append(
                .init(service: ServiceNotice(manager: manager, eventLoops: application.eventLoopGroup)))
        }
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(Limits.shutdownSeconds)
        try await ServiceGroup(configuration: configuration).run()
        await database.close()
        logger.info("ended")
    }

    var maintenance: Maintenance {
        var rotation = rotation
        rotation.audit = audit?.outbox
        rotation.database = database
        return Maintenance(database: database, keys: keys, rotation: rotation, clock: clock, logger: logger)
    }

    var routing: Routing {
        Routing(
            configuration: configuration, useCases: useCases, keys: keys, metrics: metrics, requestIDs: requestIDs,
            clock: clock, logger: logger, logo: logo, published: audit?.published, witnessing: witnessing)
    }

    /// Returns the HTTP application, for ``run(onReady:)`` and for tests.
    func application(onReady: @escaping @Sendable (Int) -> Void = { _ in }) -> some ApplicationProtocol {
        Application(
            router: routing.router(),
            server: transport.builder,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.listen.host, port: configuration.listen.port), serverName: nil,
                backlog: ServerHTTPLimits.waitingConnections),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? configuration.listen.port) },
            logger: logger)
    }
}
