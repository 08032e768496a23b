internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import Secrets
internal import ServerHTTP
internal import StoreTestSupport
internal import Synchronization
internal import TestSupport
internal import Time

@testable internal import AuthServer
@testable internal import AuthSettings
@testable internal import SQLStore

/// A whole server without a network: its router, on a real store, with a clock that the test sets.
struct TestServer: Sendable {
    let server: AuthServer
    let client: any TestClientProtocol
    let clock: ManualClock
    let database: WatchedDatabase
    let log: RecordingLog
    /// The server's source of random bytes.
    let serverRandom: CountingRandom
    /// The disk of its audit log, if it has one.
    let disk: FaultyDisk
    private let seeds: Seeds

    /// Unique numbers for the objects of one test.
    private final class Seeds: Sendable {
        private let last = Mutex<UInt64>(100)

        func next() -> UInt64 {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }

    static let origin = "http://localhost:8420"
    static let introspectionSecret = "a secret of thirty-two characters"
    /// The peer of a request that does not come through a network.
    static let peer = "none"

    /// The settings of a first start, with limits that no test reaches.
    static func configuration() throws -> ServerConfiguration {
        var configuration = try ServerConfiguration(try ConfigurationSource(file: nil, environment: [:]))
        let plenty = ServerConfiguration.LimitSettings.Bucket(burst: 1_000_000, perMinute: 60_000)
        configuration.limits = ServerConfiguration.LimitSettings(
            address: plenty, network: plenty, account: plenty, device: plenty, recovery: plenty,
            allRecoveries: plenty, allSignUps: plenty)
        configuration.introspectionClients = [
            ServerConfiguration.IntrospectionClient(
                name: "api", secretHash: Array(SHA256.hash(data: Array(introspectionSecret.utf8))))
        ]
        return configuration
    }

    /// Runs a server on an empty store.
    static func with(
        _ store: StoreUnderTest = .sqlite, changing: (inout ServerConfiguration) throws -> Void = { _ in },
        at time: Timestamp = now,
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await withReplicas(1, store, changing: changing, at: time) {
            try await body($0[0])
        }
    }

    /// Runs several servers on one empty store.
    static func withReplicas(
        _ count: Int, _ store: StoreUnderTest = .sqlite,
        changing: (inout ServerConfiguration) throws -> Void = { _ in },
        each: @escaping @Sendable (Int, inout ServerConfiguration) -> Void = { _, _ in },
        at time: Timestamp = now,
        _ body: @escaping @Sendable ([TestServer]) async throws -> Void
    ) async throws {
        var configuration = try configuration()
        try changing(&configuration)
        let settings = configuration
        let clock = ManualClock(time)
        let seeds = Seeds()
        try await store.withEmpty(openedTimes: count) { databases in
            try await start(settings, each, databases, clock, seeds, running: [], body)
        }
    }

    private static func start(
        _ configuration: ServerConfiguration, _ each: @escaping @Sendable (Int, inout ServerConfiguration) -> Void,
        _ databases: [any Database], _ clock: ManualClock, _ seeds: Seeds,
        running: [TestServer],
        _ body: @escaping @Sendable ([TestServer]) async throws -> Void
    ) async throws {
        guard running.count < databases.count else { return try await body(running) }
        let database = WatchedDatabase(databases[running.count])
        let log = RecordingLog()
        let random = CountingRandom(SeededRandom(seed: seeds.next()))
        var own = configuration
        each(running.count, &own)
        let disk = FaultyDisk()
        let server = try await AuthServer(
            own, sealer: sealer, database: database, clock: { clock.now }, random: random,
            logger: log.logger, uptime: { clock.now.since(Timestamp(seconds: 0)) }, openingLog: disk.opening)
        try await server.application().test(.router) { client in
            let next = TestServer(
                server: server, client: client, clock: clock, database: database, log: log, serverRandom: random,
                disk: disk, seeds: seeds)
            try await start(configuration, each, databases, clock, seeds, running: running + [next], body)
        }
    }

    /// Returns other random bytes at each call, the same in each run.
    func random() -> SeededRandom { SeededRandom(seed: seeds.next()) }

    func device() -> Device { Device(of: self) }

    func authenticator() -> Authenticator { Authenticator(random: random()) }

    /// Sends a request unchanged.
    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8]? = nil
    ) async throws -> Answer {
        Answer(
            try await client.executeRequest(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) }))
    }

    /// Runs the maintenance that the server runs every minute.
    func maintain() async throws { try await server.maintenance.maintain(part: 0) }
}

/// Counts the draws from it.
final class CountingRandom: RandomSource {
    private let source: SeededRandom
    private let count = Mutex(0)

    init(_ source: SeededRandom) { self.source = source }

    var drawn: Int { count.withLock { $0 } }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        count.withLock { $0 += 1 }
        source.fill(buffer)
    }
}
