import Secrets
import Synchronization
import TestSupport

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport
@testable import PinnedWebSockets

/// A stream of a test to a server of this machine.
struct WebSocketWorld {
    let world: TestWorld
    let clock: StagedClock
    let device = DeviceClock()

    init(passing: Set<Duration> = []) throws {
        world = try TestWorld.shared.get()
        clock = StagedClock(passing: passing)
    }

    func server(_ chain: [TestWorld.Issued]? = nil, tick: Int? = nil) throws -> WebSocketServer {
        try WebSocketServer(world.authority, chain: chain ?? world.chain, tick: tick)
    }

    /// The durations of the tests' policy: each is different, for ``StagedClock/end(_:)``.
    enum Time {
        static let ping = Duration.seconds(20)
        static let pong = Duration.seconds(11)
        static let silence = Duration.seconds(40)
        static let look = Duration.seconds(10)
        static let subscribe = Duration.seconds(12)
        static let close = Duration.seconds(5)
        static let reader = Duration.seconds(30)
        static let useful = Duration.seconds(33)
        static let pauses = [1, 2, 4, 8, 8].map { Duration.seconds($0) }
    }

    static func policy(
        silence: Duration? = nil, attempts: Int = .max, messageBytes: Int = 1_000_000, events: Int = 1_000,
        bytes: Int = 1 << 20
    ) -> WebSocketPolicy {
        WebSocketPolicy(
            silence: silence, pingInterval: Time.ping, pongTimeout: Time.pong,
            retries: RetryPolicy(attempts: attempts, firstPause: .seconds(1), longestPause: .seconds(8)),
            usefulAfter: Time.useful, subscribeTimeout: Time.subscribe, closeTimeout: Time.close,
            readerPatience: Time.reader, messageBytes: messageBytes, bufferedEvents: events, bufferedBytes: bytes)
    }

    func client(
        _ policy: PinPolicy? = nil, pins: LivePins? = nil, proxy: SOCKSProxy? = nil,
        plain: ClientConfiguration.PlainHTTP = .never,
        random: any RandomSource = Highest()
    ) throws -> PinnedClient {
        let policy = try policy ?? .pinning(to: [.of(world.leaf)])
        let configuration = ClientConfiguration(
            userAgent: "test/1", roots: try world.roots(), plainHTTP: plain, proxy: proxy,
            connectTimeout: .seconds(Patience.seconds))
        return PinnedClient(
            configuration, pins: pins ?? LivePins(policy, updatedBy: [], time: PinTime(latest: TestTime.start)),
            now: { [device] in device.now }, clock: clock, random: random)
    }

    func stream(
        _ port: UInt16, _ target: String = "/", host: String = "localhost", scheme: Origin.Scheme = .https,
        policy: WebSocketPolicy = policy(), client: PinnedClient? = nil,
        subscribe: @escaping @Sendable (WebSocketOpening) async throws -> Void = { _ in }
    ) throws -> WebSocketStream {
        let origin = try Origin(scheme, host: host, port: port).required
        let client = try client ?? self.client()
        return client.stream(try WebSocketRequest(target, at: origin).required, policy, subscribe: subscribe)
    }

    /// Subscribes to the server's ticks, and waits for its confirmation.
    @Sendable static func ticks(_ opening: WebSocketOpening) async throws {
        try await opening.send(.text("subscribe"))
        while try await opening.next() != .text("subscribed") {}
    }

    /// A source whose random numbers are the highest: pauses are the longest.
    struct Highest: RandomSource {
        func fill(_ buffer: UnsafeMutableRawBufferPointer) { for index in buffer.indices { buffer[index] = 0xFF } }
    }
}

extension WebSocketStream.AsyncIterator {
    /// The next events.
    mutating func next(_ count: Int) async throws -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        while events.count < count, let event = try await next() { events.append(event) }
        return events
    }

    /// All events until the end.
    mutating func rest() async throws -> [WebSocketEvent] { try await next(.max) }
}

/// A door that a test opens.
final class Door: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func pass() async throws {
        try await Patience.wait(for: "the door") { isOpen.withLock { $0 } }
    }
}
