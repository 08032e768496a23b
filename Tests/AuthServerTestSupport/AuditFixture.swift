internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Secrets
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuditLog
@testable internal import AuthServer
@testable internal import SQLStore
@testable internal import ServerAudit

/// The folders of audit logs in a test, and the key of their reader.
final class AuditFixture: Sendable {
    let folder: TemporaryFolder
    let reader: ReaderKey

    init() throws {
        folder = try TemporaryFolder()
        reader = try ReaderKey(SecretBytes(count: 32) { memory in for index in memory.indices { memory[index] = 9 } })
    }

    /// The folder of the log of one replica.
    func path(_ replica: Int = 0) -> String { "\(folder.path)/\(replica)/log" }

    static func name(_ replica: Int = 0) -> String { "server-\(replica).example/audit" }

    /// Sets the log of one replica.
    func set(_ configuration: inout ServerConfiguration, replica: Int = 0) {
        configuration.audit.reader = reader.publicKey
        configuration.audit.name = Self.name(replica)
        configuration.audit.folder = path(replica)
        configuration.audit.secretFolder = "\(folder.path)/\(replica)/secret"
        configuration.audit.checkpointFolder = "\(folder.path)/\(replica)/checkpoints"
    }

    /// Runs servers with an audit log each, on one store.
    static func with(
        _ store: StoreUnderTest = .sqlite, replicas: Int = 1,
        changing: (inout ServerConfiguration) throws -> Void = { _ in },
        _ body: @escaping @Sendable (AuditFixture, [TestServer]) async throws -> Void
    ) async throws {
        let bench = try AuditFixture()
        try await TestServer.withReplicas(
            replicas, store, changing: changing, each: { bench.set(&$1, replica: $0) }
        ) { servers in try await body(bench, servers) }
    }

    /// Verifies the log of a replica, and returns the events of the server in it, without those of its start.
    func events(_ replica: Int = 0) throws -> [ServerEvent] {
        try all(replica).filter { $0.kind != .configured }
    }

    func all(_ replica: Int = 0) throws -> [ServerEvent] {
        try records(replica).compactMap { if case .server(let event) = $0.event { event } else { nil } }
    }

    func records(_ replica: Int = 0) throws -> [AuditRecord] {
        let kept = Mutex<[AuditRecord]>([])
        let identity = try LogIdentity(origin: Self.name(replica), reader: reader.publicKey)
        let checkpoints = try CheckpointFolder(at: "\(folder.path)/\(replica)/checkpoints", apartFrom: nil)
        let last = try checkpoints.last(of: Self.name(replica)).map { try Checkpoint(parsing: $0.text) }
        let report = try LogVerification.report(
            on: try LogReader(at: path(replica)), identity: identity, checkpoints: last.map { [$0] } ?? [], key: reader
        ) { _, record in kept.withLock { $0.append(record) } }
        #expect(report.isSound, "\(report.findings)")
        return kept.withLock { $0 }
    }
}

extension TestServer {
    /// Copies the events that wait into the audit log, as the server does by itself.
    func copyEvents() async throws { await (try #require(server.audit)).copying.copy() }

    var gate: AuditGate { get throws { try #require(server.audit).gate } }

    /// The number of events that wait for an audit log.
    var waiting: Int {
        get async throws { try await database.read { Int(try AuditQueue.waiting(in: $0).count) } }
    }

    /// The ids of all security events, in the order of their times.
    var storedEvents: [(id: [UInt8], kind: String)] {
        get async throws {
            try await database.read { transaction in
                try transaction.run("SELECT event_id, kind FROM security_events ORDER BY at, event_id", []).map {
                    (try $0.bytes(0), try $0.text(1))
                }
            }
        }
    }

    /// Starts another server of this store, on another disk, as after a kill of this one.
    func startedAgain(
        sealer: ColumnSealer = sealer, changing: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> AuthServer {
        var configuration = server.configuration
        changing(&configuration)
        let (clock, log) = (clock, log)
        return try await AuthServer(
            configuration, sealer: sealer, database: database, clock: { clock.now }, random: random(),
            logger: log.logger, uptime: { clock.now.since(Timestamp(seconds: 0)) }, openingLog: FaultyDisk().opening)
    }
}
