internal import AuthSettings
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import SQLStore
internal import Secrets
internal import ServerHTTP
internal import Synchronization
internal import TestSupport
internal import Time

@testable internal import AuthServer

/// The whole server in this process, listening on 127.0.0.1, with a clock that only advances when a test tells it to.
final class ClockedServer: ServerOnPort {
    let port: UInt16
    private let clock: ManualClock

    private final class ManualClock: Sendable {
        private let time = Mutex(Timestamp.now())

        var now: Timestamp { time.withLock { $0 } }

        func advance(_ span: Timestamp.Span) { time.withLock { $0 = $0.adding(span) } }
    }

    private init(port: UInt16, clock: ManualClock) {
        self.port = port
        self.clock = clock
    }

    /// Advances the server's clock.
    func advance(_ span: Timestamp.Span) { clock.advance(span) }

    /// Runs the server on an empty store while `body` runs.
    ///
    /// - Parameter settings: by their names in the environment, without `FUEKID_`; else as of ``RunningServer``.
    static func with(_ settings: [String: String], _ body: (ClockedServer) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let home = ServerHome(path: folder.path)
        let passphrase = SecretBytes(count: 32, from: SystemRandom())
        try await home.makeVault(passphrase: passphrase)
        let port = try FreePort.any()
        var environment = ["FUEKID_LISTEN": "127.0.0.1:\(port)"]
        for (name, value) in RunningServer.unlimited.merging(settings, uniquingKeysWith: { $1 }) {
            environment["FUEKID_\(name)"] = value
        }
        let configuration = try ServerConfiguration(ConfigurationSource(file: nil, environment: environment))
        let clock = ManualClock()
        let server = try await AuthServer(
            configuration, sealer: try await home.sealer(passphrase: passphrase, random: SystemRandom()),
            database: try await home.database(configuration.store), clock: { clock.now }, random: SystemRandom(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, home: home)
        let (ready, told) = AsyncStream.makeStream(of: Void.self)
        let application = server.application { _ in told.yield() }
        let running = Task {
            defer { told.finish() }
            try await application.runService(gracefulShutdownSignals: [])
        }
        var outcome = Result<Void, any Error>.success(())
        do {
            // The stream ends without an element if the server cannot listen.
            if await ready.first(where: { true }) != nil { try await body(ClockedServer(port: port, clock: clock)) }
        } catch { outcome = .failure(error) }
        running.cancel()
        do { try await running.value } catch is CancellationError {}
        await server.database.close()
        try outcome.get()
    }
}
