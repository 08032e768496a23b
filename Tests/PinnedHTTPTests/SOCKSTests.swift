import Secrets
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("SOCKS5", .timeLimit(.minutes(20)))
struct SOCKSTests {
    private let world: TestWorld

    init() throws { world = try TestWorld.shared.get() }

    private func password(_ text: String) -> SecretBytes {
        SecretBytes(count: text.utf8.count) { $0.copyBytes(from: text.utf8) }
    }

    private func proxy(
        _ server: borrowing SOCKSServer, _ authentication: SOCKSProxy.Authentication = .none
    ) throws -> SOCKSProxy {
        try SOCKSProxy(host: "127.0.0.1", port: server.port, authentication: authentication).required
    }

    // MARK: - With a real proxy

    @Test("the proxy gets the name of the server, which is not looked up here; TLS and the pin are checked behind it")
    func remoteNames() async throws {
        let server = try world.server()
        let socks = try SOCKSServer(to: server.port)
        // A name that no resolver knows.
        let policy = try PinPolicy.pinning("example.test", to: [.of(world.root)], subdomains: true)
        let client = client(policy, roots: try world.roots(), proxy: try proxy(socks))
        let answer = try await client.send(request(443, host: "api.example.test", body: "order"))
        #expect(answer.status == 200)
        let seen = SOCKSServer.Request(kind: 3, host: "api.example.test", port: 443, user: nil, password: nil)
        #expect(try socks.requests == [seen])
        #expect(try server.application.contains("Host: api.example.test\r\n"))
    }

    @Test("behind a proxy another key and another name are refused, and the server reads no byte")
    func refused() async throws {
        let server = try world.server([world.intercepted])
        let socks = try SOCKSServer(to: server.port)
        let policy = try PinPolicy.pinning("example.test", to: [.of(world.root)], subdomains: true)
        let client = client(policy, roots: try world.roots(), proxy: try proxy(socks))
        let served = try [world.intercepted, world.otherRoot].map { try Pin.of($0) }
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await client.send(request(443, host: "api.example.test", body: "order"))
        }
        await #expect(throws: HTTPFailure(.untrusted(.wrongName), mayHaveArrived: false)) {
            try await client.send(request(443, host: "api.other.test", body: "order"))
        }
        #expect(try server.application == "")
    }

    @Test("subdomains and exclusions decide about the pins of a connection")
    func subdomains() async throws {
        let server = try world.server()
        let socks = try SOCKSServer(to: server.port)
        let policy = try PinPolicy.pinning(
            "example.test", to: [.invented(1)], subdomains: true, except: ["open.example.test"])
        let client = client(policy, roots: try world.roots(), proxy: try proxy(socks))
        await #expect(throws: HTTPFailure.self) { try await client.send(request(443, host: "api.example.test")) }
        #expect(try server.application == "")
        #expect(try await client.send(request(443, host: "open.example.test")).status == 200)
    }

    @Test("an IP address goes to the proxy as an address")
    func addresses() async throws {
        let server = try world.server()
        let socks = try SOCKSServer(to: server.port)
        let client = client(roots: try world.roots(), proxy: try proxy(socks))
        #expect(try await client.send(request(8443, host: "127.0.0.1")).status == 200)
        let six = try HTTPRequest(.get, "/", at: Origin(host: "2001:db8::1", port: 1).required).required
        await #expect(throws: HTTPFailure(.untrusted(.wrongName), mayHaveArrived: false)) { try await client.send(six) }
        #expect(try socks.requests.map(\.kind) == [1, 4])
        #expect(try socks.requests.map(\.host) == ["127.0.0.1", "2001:db8::1"])
    }

    @Test("an onion name is reached through a proxy only, and never looked up without one")
    func onion() async throws {
        let origin = try Origin(.http, host: "abcdefgh.onion").required
        let request = try HTTPRequest(.get, "/", at: origin).required
        let plain = ClientConfiguration.PlainHTTP.hosts(["abcdefgh.onion"])
        await #expect(throws: HTTPFailure(.notConnected, mayHaveArrived: false)) {
            try await PinnedHTTPTestSupport.client(roots: try world.roots(), plain: plain).send(request)
        }
        // It is refused before the name could be looked up.
        let connector = Connector(
            ClientConfiguration(userAgent: "", roots: try world.roots(), plainHTTP: plain),
            pins: LivePins(.none, updatedBy: [], time: PinTime(latest: 0)), now: { TestTime.start })
        #expect(throws: HTTPFailure(.notConnected, mayHaveArrived: false)) {
            try connector.permission(for: origin, by: .none, .policy)
        }
        let server = try RecordingServer()
        let socks = try SOCKSServer(to: server.port)
        let client = client(roots: try world.roots(), proxy: try proxy(socks), plain: plain)
        #expect(try await client.send(request).status == 200)
        #expect(try socks.requests.map(\.host) == ["abcdefgh.onion"])
    }

    @Test("with isolation each origin has its own user name, and each client its own password")
    func isolation() async throws {
        let server = try world.server()
        let socks = try SOCKSServer(to: server.port)
        for _ in 0..<2 {
            let isolated = SOCKSProxy.Authentication.isolatedByOrigin(random: SystemRandom())
            let client = PinnedHTTPTestSupport.client(roots: try world.roots(), proxy: try proxy(socks, isolated))
            for host in ["a.example.test", "b.example.test", "a.example.test"] {
                _ = try await client.send(request(443, host: host))
            }
        }
        let requests = try socks.requests
        let users = ["a.example.test", "b.example.test", "a.example.test"]
        #expect(requests.map(\.user) == users + users)
        let passwords = requests.compactMap(\.password)
        #expect(Set(passwords.prefix(3)).count == 1)
        #expect(Set(passwords).count == 2)
        #expect(passwords.allSatisfy { $0.utf8.count == 32 })
    }

    @Test("a wrong password, a refusal and another protocol: not connected, and the request has not left")
    func failures() async throws {
        let server = try world.server()
        let failure = HTTPFailure(.notConnected, mayHaveArrived: false)
        let socks = try SOCKSServer(to: server.port)
        let wrong = try ProxyCredentials(user: "user", password: password("wrong")).required
        let refused = client(roots: try world.roots(), proxy: try proxy(socks, .credentials(wrong)))
        await #expect(throws: failure) { try await refused.send(request(443, host: "api.example.test")) }
        #expect(try socks.requests.isEmpty)
        let right = try ProxyCredentials(user: "user", password: password("right")).required
        let accepted = client(roots: try world.roots(), proxy: try proxy(socks, .credentials(right)))
        #expect(try await accepted.send(request(443, host: "api.example.test")).status == 200)
        let busy = try SOCKSServer(to: server.port, reply: 5)
        await #expect(throws: failure) {
            try await client(roots: try world.roots(), proxy: try proxy(busy)).send(
                request(443, host: "api.example.test"))
        }
        let dead = try DeadPort()
        let nowhere = try SOCKSProxy(host: "127.0.0.1", port: dead.number, authentication: .none).required
        await #expect(throws: failure) {
            try await client(roots: try world.roots(), proxy: nowhere).send(request(443, host: "api.example.test"))
        }
        #expect("\(right)" == "<redacted>")
    }

    // MARK: - The messages

    private func handshake(_ host: String, login: [UInt8]? = nil) throws -> SOCKSHandshake {
        SOCKSHandshake(to: try Origin(host: host).required, login: login)
    }

    @Test("the messages are those of RFC 1928 and RFC 1929, whatever pieces the replies come in")
    func messages() throws {
        var plain = try handshake("a.test")
        #expect(try plain.next() == .send([5, 1, 0]))
        #expect(try plain.next([5]) == .wait)
        #expect(try plain.next([0]) == .send([5, 1, 0, 3, 6] + "a.test".utf8 + [1, 187]))
        for byte: UInt8 in [5, 0, 0, 3, 2, 97, 98, 0] { #expect(try plain.next([byte]) == .wait) }
        #expect(try plain.next([80]) == .connected)
        var login = try handshake("1.2.3.4", login: SOCKSHandshake.login(user: [0x75], password: [0x70, 0x77]))
        #expect(try login.next() == .send([5, 1, 2]))
        #expect(try login.next([5, 2]) == .send([1, 1, 0x75, 2, 0x70, 0x77]))
        #expect(try login.next([1, 0]) == .send([5, 1, 0, 1, 1, 2, 3, 4, 1, 187]))
        #expect(try login.next([5, 0, 0, 4] + Array(repeating: 0, count: 18)) == .connected)
    }

    @Test("a proxy that ignores the login is refused: it would not isolate")
    func ignoredLogin() throws {
        var handshake = try handshake("a.test", login: [1, 1, 97, 1, 97])
        _ = try handshake.next()
        #expect(throws: SOCKSHandshake.Fault.notSOCKS) { try handshake.next([5, 0]) }
    }

    @Test("replies that break the rules are refused, and so are bytes of the server before those of the client")
    func malformed() throws {
        for reply: [UInt8] in [[4, 0], [0x48, 0x54], [5, 2], [5, 1]] {
            var handshake = try handshake("a.test")
            _ = try handshake.next()
            #expect(throws: SOCKSHandshake.Fault.notSOCKS) { try handshake.next(reply) }
        }
        var unwilling = try handshake("a.test")
        _ = try unwilling.next()
        #expect(throws: SOCKSHandshake.Fault.unauthorised) { try unwilling.next([5, 0xFF]) }
        let success: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for (reply, fault) in [
            ([4] + success.dropFirst(), SOCKSHandshake.Fault.notSOCKS), ([5, 0, 1] + success.dropFirst(3), .notSOCKS),
            ([5, 0, 0, 2] + success.dropFirst(4), .notSOCKS), (success + [0x16], .notSOCKS),
            ([5, 4] + success.dropFirst(2), .refused(code: 4)),
        ] {
            var handshake = try handshake("a.test")
            _ = try handshake.next()
            _ = try handshake.next([5, 0])
            #expect(throws: fault) { try handshake.next(reply) }
        }
    }

    @Test("no mutation of the replies makes the handshake fail otherwise")
    func mutations() throws {
        let origin = try Origin(host: "a.test").required
        Fuzz.mutations(
            of: [[5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0], [5, 2, 1, 0, 5, 0, 0, 3, 1, 97, 0, 0]], iterations: 3_000
        ) {
            for login in [nil, [1, 1, 97, 1, 97] as [UInt8]] {
                var handshake = SOCKSHandshake(to: origin, login: login)
                _ = try? handshake.next()
                for byte in $0 { guard (try? handshake.next([byte])) != nil else { break } }
            }
        }
    }

    // MARK: - The address

    @Test(
        "an invalid proxy address is refused",
        arguments: [
            "", "127.0.0.1:9050", "http://127.0.0.1:9050", "socks5://", "socks5://127.0.0.1", "socks5://127.0.0.1:0",
            "socks5://127.0.0.1:09050", "socks5://127.0.0.1:9050/", "socks5://127.0.0.1:9050/a:9050",
            "socks5://user@127.0.0.1:9050", "socks5://:password@127.0.0.1:9050", "socks5://user:@127.0.0.1:9050",
            "socks5://user:\(String(repeating: "x", count: 256))@127.0.0.1:9050",
        ])
    func badProxy(text: String) {
        #expect(SOCKSProxy(url: text) == nil)
    }

    @Test("a proxy's address has a host, a port and credentials, which are not printed")
    func goodProxy() throws {
        let proxy = try #require(SOCKSProxy(url: "socks5://user:SECRET@[::1]:9050"))
        #expect(proxy.host == "::1" && proxy.port == 9_050)
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(!dumped.contains("SECRET"))
    }
}
