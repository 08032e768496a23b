internal import AuthAPI
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
public import Logging
internal import NIOCore
public import Secrets
internal import ServiceLifecycle
internal import UnixSignals
internal import WebAuthn

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The server of the role `auth`: passkeys, device-bound tokens, sessions.
///
/// ```swift
/// let server = try await AuthServer(configuration, home: home, passphrase: passphrase, logger: logger)
/// try await server.run { print("ready on \($0)") }
/// ```
public struct AuthServer: Sendable {
    let backend: Backend
    private let rotation: KeyRotation

    /// Opens the store, runs its migrations, and sees to the keys. Nothing listens yet.
    ///
    /// - Parameters:
    ///   - home: the folder of the vault and of a SQLite store.
    ///   - passphrase: of the vault.
    /// - Throws: ``StartupError``.
    public init(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes, logger: Logger
    ) async throws {
        try await self.init(
            configuration, sealer: try await home.sealer(passphrase: passphrase, random: SystemRandom()),
            database: try await home.database(configuration.store), clock: Timestamp.now, random: SystemRandom(),
            recoveryCost: .standard, logger: logger)
    }

    /// - Parameter clock: the time, which tests turn.
    init(
        _ configuration: ServerConfiguration, sealer: ColumnSealer, database: any Database,
        clock: @escaping @Sendable () -> Timestamp, random: any RandomSource, recoveryCost: RecoveryCode.Cost,
        logger: Logger
    ) async throws {
        let now = clock()
        for name in try await Migrator.migrate(database, at: now) {
            logger.info("migrated", metadata: ["migration": "\(name)"])
        }
        rotation = KeyRotation(
            database: database, sealer: sealer, sessions: configuration.sessions, random: random)
        backend = Backend(
            configuration: configuration, database: database, sealer: sealer,
            keys: KeyRing(try await Self.keys(of: rotation, at: now)),
            relyingParty: try configuration.webAuthnRelyingParty,
            attestationPolicy: try await Self.policy(configuration.attestation, noting: database, at: now),
            metrics: Metrics(),
            clock: clock, random: random, recoveryHashing: RecoveryHashing(cost: recoveryCost), logger: logger)
    }

    private static func policy(
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

    /// Serves until the process is told to end (SIGTERM, SIGINT); what is under way then is finished first.
    ///
    /// - Parameter onReady: called once it listens, with the port.
    public func run(onReady: @escaping @Sendable (Int) -> Void) async throws {
        let application = try application(onReady: onReady)
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: maintenance), .init(service: application)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: backend.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(Limits.shutdownSeconds)
        try await ServiceGroup(configuration: configuration).run()
        await backend.database.close()
        backend.logger.info("ended")
    }

    var maintenance: Maintenance { Maintenance(backend: backend, rotation: rotation) }

    /// The HTTP side, for ``run(onReady:)`` and for tests.
    func application(onReady: @escaping @Sendable (Int) -> Void = { _ in }) throws -> some ApplicationProtocol {
        let configuration = backend.configuration
        return Application(
            router: backend.router(),
            server: try ServerTransport.builder(configuration.transport),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.listen.host, port: configuration.listen.port), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(Limits.connections)),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? configuration.listen.port) },
            logger: backend.logger)
    }
}

extension Timestamp {
    /// The system's clock.
    static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
