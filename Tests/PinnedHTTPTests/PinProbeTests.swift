import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("The probe of pins", .timeLimit(.minutes(20)))
struct PinProbeTests {
    private let world: TestWorld

    init() throws { world = try TestWorld.shared.get() }

    private func probe() throws -> PinProbe {
        PinProbe(
            ClientConfiguration(
                userAgent: "test/1", roots: try world.roots(), connectTimeout: .seconds(Patience.seconds)),
            now: { TestTime.start })
    }

    @Test("it names each certificate's pin, subject and validity, and the server reads no byte")
    func certificates() async throws {
        let server = try world.server()
        let served = try await probe().certificates(of: Origin(host: "localhost", port: server.port).required)
        #expect(served.pins.map(\.description) == (world.chain + [world.root]).map(\.pin))
        #expect(served.certificates.map(\.subject) == ["CN=server", "CN=First Intermediate", "CN=First Root"])
        #expect(served.certificates.allSatisfy { $0.notBefore < TestTime.start && TestTime.start < $0.notAfter })
        #expect(!served.needsTLS12)
        #expect(try server.application == "")
    }

    @Test("it reads a server that speaks TLS 1.2 only, and says so")
    func oldVersion() async throws {
        let server = try world.server(isTLS12: true)
        let served = try await probe().certificates(of: Origin(host: "localhost", port: server.port).required)
        #expect(served.needsTLS12)
        #expect(try server.application == "")
    }

    @Test("it validates as a request does")
    func invalid() async throws {
        let own = try world.authority.selfSigned(server: ["DNS:localhost"])
        let server = try world.server([own])
        await #expect(throws: HTTPFailure(.untrusted(.unknownAuthority), mayHaveArrived: false)) {
            try await probe().certificates(of: Origin(host: "localhost", port: server.port).required)
        }
    }

    @Test("characters that direct a terminal are replaced in a subject")
    func subject() async throws {
        let hostile = try world.authority.root("a\u{1B}[31mb\u{202E}")
        let leaf = try world.authority.server(["DNS:localhost"], by: hostile)
        let server = try world.server([leaf])
        let probe = PinProbe(
            ClientConfiguration(userAgent: "", roots: try world.roots([hostile])), now: { TestTime.start })
        let served = try await probe.certificates(of: Origin(host: "localhost", port: server.port).required)
        let subject = try #require(served.certificates.last?.subject)
        #expect(subject.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test("a check of a policy finds pins that would lock users out, and backups that are in use")
    func policies() async throws {
        let server = try world.server()
        let (leaf, middle, root) = try (Pin.of(world.leaf), Pin.of(world.intermediate), Pin.of(world.root))
        let unused = try Pin.invented(1)
        let soon = TestTime.start + HTTPLimits.expiryWarning
        let cases: [(PinPolicy, [PinProbe.Finding])] = try [
            (.pinning(to: [root], backups: [unused]), []),
            (.pinning(to: [middle], backups: [unused], expires: soon + 1), []),
            (.pinning(to: [unused], backups: [.invented(2)]), [.noPinServed]),
            (.pinning(to: [root], backups: [middle]), [.everyPinServed, .backupServed(middle)]),
            (.pinning(to: [root, unused], backups: [.invented(2)]), [.pinNotServed(unused)]),
            (.pinning(to: [leaf], backups: [unused]), [.onlyServerKeyPinned]),
            (.pinning(to: [root], backups: [unused], expires: soon), [.expiresSoon]),
            (.pinning(to: [root], backups: [unused], expires: TestTime.start), [.expired]),
            (.pinning(to: [root], backups: [unused], tls12: true), [.allowsTLS12Needlessly]),
        ]
        for (policy, findings) in cases {
            let checks = try await probe().check(policy, port: server.port)
            #expect(checks.map(\.host) == ["localhost"])
            #expect(checks.first?.findings == findings)
        }
        let old = try world.server(isTLS12: true)
        let check = try await probe().check(.pinning(to: [root], backups: [unused]), port: old.port)
        #expect(check.first?.findings == [.needsTLS12])
        #expect(try server.application == "")
    }

    @Test("a host that is not reached is reported, and the others are checked")
    func unreached() async throws {
        let port = try DeadPort()
        let checks = try await probe().check(.pinning(to: [.invented(1)]), port: port.number)
        guard case .failure(let failure) = checks.first?.served else {
            Issue.record("it was reached")
            return
        }
        #expect(failure == HTTPFailure(.notConnected, mayHaveArrived: false))
    }
}
