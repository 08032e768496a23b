import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("Pins, on the connection that carries the request", .timeLimit(.minutes(20)))
struct PinnedConnectionTests {
    private let world: TestWorld

    init() throws { world = try TestWorld.shared.get() }

    @Test("a pinned key of the server, of the intermediate or of the root is enough", arguments: [0, 1, 2])
    func pinned(_ position: Int) async throws {
        let server = try world.server()
        let certificate = [world.leaf, world.intermediate, world.root][position]
        let client = client(try .pinning(to: [.of(certificate)]), roots: try world.roots())
        let answer = try await client.send(request(server.port, body: "payment"))
        #expect(answer.status == 200)
        #expect(answer.body == Array("ok".utf8))
        #expect(try server.application.hasSuffix("payment"))
    }

    @Test("after a change to the backup key the server is reached")
    func backup() async throws {
        let server = try world.server([world.renewed, world.intermediate])
        let policy = try PinPolicy.pinning(to: [.of(world.leaf)], backups: [.of(world.renewed)])
        #expect(try await client(policy, roots: try world.roots()).send(request(server.port)).status == 200)
    }

    @Test("a server with an unknown key is refused, its pins are named, and it reads no byte of the request")
    func rotated() async throws {
        let server = try world.server([world.renewed, world.intermediate])
        let reports = ReportLog()
        let client = client(try .pinning(to: [.of(world.leaf)]), roots: try world.roots(), reports: reports)
        let served = try [world.renewed, world.intermediate, world.root].map { try Pin.of($0) }
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await client.send(request(server.port, body: "payment"))
        }
        try await refused(server)
        #expect(reports.reports.map(\.kind) == [.refused])
        #expect(reports.reports.first?.served == served)
    }

    @Test("an interception proxy with an authority that the system trusts is refused, and reads no byte")
    func intercepted() async throws {
        let server = try world.server([world.intercepted])
        let client = client(try .pinning(to: [.of(world.root)]), roots: try world.roots())
        let served = try [world.intercepted, world.otherRoot].map { try Pin.of($0) }
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await client.send(request(server.port, body: "payment"))
        }
        try await refused(server)
        // Without pins it would have been believed.
        let credulous = PinnedHTTPTestSupport.client(roots: try world.roots())
        #expect(try await credulous.send(request(server.port)).status == 200)
    }

    @Test("a pin does not replace the validation: a pinned key of an unknown authority is refused")
    func pinnedButUnknown() async throws {
        let server = try world.server()
        let client = client(try .pinning(to: [.of(world.leaf)]), roots: try world.roots([world.otherRoot]))
        await #expect(throws: HTTPFailure(.untrusted(.unknownAuthority), mayHaveArrived: false)) {
            try await client.send(request(server.port))
        }
        try await refused(server)
    }

    @Test("a pinned certificate that the server merely presents, outside of the verified chain, does not count")
    func presentedOnly() async throws {
        let server = try world.server([world.intercepted, world.leaf, world.intermediate])
        let client = client(try .pinning(to: [.of(world.leaf)]), roots: try world.roots())
        let served = try [world.intercepted, world.otherRoot].map { try Pin.of($0) }
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await client.send(request(server.port))
        }
        try await refused(server)
    }

    @Test("of two valid chains the one with a pinned root is found, though another is shorter (brave-browser#52059)")
    func crossSigned() async throws {
        // The new root is trusted itself, and signed by the old one, which alone is pinned.
        let crossSigned = try world.authority.intermediate("Other Root", by: world.root, for: world.otherRoot)
        let server = try world.server([world.intercepted, crossSigned])
        let client = client(try .pinning(to: [.of(world.root)]), roots: try world.roots())
        #expect(try await client.send(request(server.port)).status == 200)
    }

    @Test("an entry that only reports lets the request through, and reports once a day")
    func reportOnly() async throws {
        let server = try world.server([world.renewed, world.intermediate])
        let reports = ReportLog()
        let clock = DeviceClock()
        let client = client(
            try .pinning(to: [.of(world.leaf)], mode: .reportOnly, serial: 7), roots: try world.roots(), clock: clock,
            reports: reports)
        for _ in 0..<3 { #expect(try await client.send(request(server.port)).status == 200) }
        #expect(reports.reports.count == 1)
        let report = try #require(reports.reports.first)
        #expect(report.kind == .reported)
        #expect(report.host == "localhost")
        #expect(report.serial == 7)
        #expect(try report.served.first == .of(world.renewed))
        #expect(try report.expected == [.of(world.leaf), .invented(0xBB)])
        clock.set(TestTime.start + HTTPLimits.reportInterval)
        _ = try await client.send(request(server.port))
        #expect(reports.reports.count == 2)
    }

    @Test("a host without pins is refused before anything is looked up, if the policy requires pins")
    func required() async throws {
        let server = try world.server()
        let policy = try PinPolicy.pinning("other.example.test", to: [.of(world.leaf)], unpinned: .refuse)
        let client = client(policy, roots: try world.roots())
        await #expect(throws: HTTPFailure(.notPinned(.noPins), mayHaveArrived: false)) {
            try await client.send(request(server.port))
        }
        #expect(try server.connections.isEmpty)
    }

    @Test("such a policy refuses hosts that may be reached without TLS, too")
    func requiredWithoutTLS() async throws {
        let server = try RecordingServer()
        let policy = try PinPolicy.pinning("other.example.test", to: [.of(world.leaf)], unpinned: .refuse)
        let client = client(policy, roots: try world.roots(), plain: .loopback)
        let origin = try Origin(.http, host: "127.0.0.1", port: server.port).required
        await #expect(throws: HTTPFailure(.notPinned(.noPins), mayHaveArrived: false)) {
            try await client.send(try HTTPRequest(.get, "/", at: origin).required)
        }
        #expect(try server.connections.isEmpty)
    }

    @Test("expired pins refuse the connection by default, before it is made")
    func expired() async throws {
        let server = try world.server()
        let policy = try PinPolicy.pinning(to: [.of(world.leaf)], expires: TestTime.start)
        let client = client(policy, roots: try world.roots())
        await #expect(throws: HTTPFailure(.notPinned(.pinsExpired), mayHaveArrived: false)) {
            try await client.send(request(server.port))
        }
        #expect(try server.connections.isEmpty)
    }

    @Test("pins that fail open connect after their expiry, and report it")
    func lapsed() async throws {
        let server = try world.server([world.renewed, world.intermediate])
        let reports = ReportLog()
        let policy = try PinPolicy.pinning(to: [.of(world.leaf)], expires: TestTime.start, after: .connect)
        let client = client(policy, roots: try world.roots(), reports: reports)
        #expect(try await client.send(request(server.port)).status == 200)
        #expect(reports.reports.map(\.kind) == [.lapsed])
    }

    @Test("a clock that is set far ahead does not end pins that fail open: they stay enforced (okhttp#3010)")
    func clockAhead() async throws {
        let server = try world.server([world.intercepted])
        let day = TestTime.day
        let policy = try PinPolicy.pinning(
            to: [.of(world.leaf)], expires: TestTime.start + 8 * day, after: .connect)
        let clock = DeviceClock(TestTime.start + 9 * day)
        let client = client(policy, roots: try world.roots(), clock: clock)
        let served = try [world.intercepted, world.otherRoot].map { try Pin.of($0) }
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await client.send(request(server.port))
        }
        try await refused(server)
        // The pinned server is still reached.
        let pinned = try world.server()
        #expect(try await client.send(request(pinned.port)).status == 200)
    }

    @Test("a new policy is used by the next request, which does not use a connection that the old one allowed")
    func update() async throws {
        let server = try world.server()
        let signer = try PolicySigner()
        let pins = LivePins(
            try .pinning(to: [.of(world.leaf)]), updatedBy: [signer.key], time: PinTime(latest: TestTime.start))
        let client = PinnedClient(
            ClientConfiguration(userAgent: "test/1", roots: try world.roots(), retries: .never), pins: pins,
            now: { TestTime.start })
        #expect(try await client.send(request(server.port, .get)).status == 200)
        try pins.update(
            signer.sign(
                """
                {"format":1,"serial":2,"unpinned":"allow","hosts":[{"host":"localhost",
                "pins":["\(try Pin.invented(1))"],"backups":["\(try Pin.invented(2))"]}]}
                """))
        let served = try (world.chain + [world.root]).map { try Pin.of($0) }
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await client.send(request(server.port, .get))
        }
        #expect(try server.application.split(separator: "GET").count == 1)
    }

    /// Checks that the server has seen a refused handshake, and no byte of an application.
    private func refused(_ server: borrowing RecordingServer) async throws {
        try await Patience.wait(for: "the refusal") { try !server.connections.isEmpty }
        #expect(try server.connections == ["refused"])
        #expect(try server.application == "")
    }
}
