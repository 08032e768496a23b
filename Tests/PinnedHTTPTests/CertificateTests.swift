import Foundation
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("The validation of certificates, with real TLS servers", .timeLimit(.minutes(20)))
struct CertificateTests {
    private let world: TestWorld

    init() throws { world = try TestWorld.shared.get() }

    /// Checks that a server's chain is refused, and that the server reads no byte.
    private func expect(
        _ fault: TrustFault, of chain: [TestWorld.Issued], host: String = "localhost", isTLS12: Bool = false,
        at time: UInt64 = TestTime.start, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let server = try world.server(chain, isTLS12: isTLS12)
        let client = client(roots: try world.roots(), clock: DeviceClock(time))
        await #expect(
            throws: HTTPFailure(.untrusted(fault), mayHaveArrived: false), sourceLocation: sourceLocation
        ) { try await client.send(request(server.port, host: host, body: "payment")) }
        try await Patience.wait(for: "the refusal") { try !server.connections.isEmpty }
        #expect(try server.connections == ["refused"], sourceLocation: sourceLocation)
        #expect(try server.application == "", sourceLocation: sourceLocation)
    }

    @Test("a valid certificate is accepted by its name and by its IP address")
    func valid() async throws {
        let server = try world.server()
        let client = client(roots: try world.roots())
        #expect(try await client.send(request(server.port)).status == 200)
        #expect(try await client.send(request(server.port, host: "127.0.0.1")).status == 200)
    }

    @Test("a certificate for other names is refused")
    func wrongName() async throws {
        let other = try world.authority.server(["DNS:other.example.test"], by: world.intermediate)
        try await expect(.wrongName, of: [other, world.intermediate])
        let name = try world.authority.server(["DNS:localhost"], by: world.intermediate)
        try await expect(.wrongName, of: [name, world.intermediate], host: "127.0.0.1")
    }

    @Test("a certificate whose name is only the common name is refused")
    func commonName() async throws {
        let nameless = try world.authority.intermediate(
            "localhost", by: world.intermediate, extensions: ["basicConstraints=CA:FALSE"])
        try await expect(.unknownAuthority, of: [nameless, world.intermediate])
    }

    @Test("a self-signed certificate is refused, also with a pin; it is accepted as a root of its own")
    func selfSigned() async throws {
        let own = try world.authority.selfSigned(server: ["DNS:localhost"])
        try await expect(.unknownAuthority, of: [own])
        let server = try world.server([own])
        let trusting = client(try .pinning(to: [.of(own)]), roots: try world.roots([own]))
        #expect(try await trusting.send(request(server.port)).status == 200)
        let pinning = client(try .pinning(to: [.of(own)]), roots: try world.roots())
        await #expect(throws: HTTPFailure(.untrusted(.unknownAuthority), mayHaveArrived: false)) {
            try await pinning.send(request(server.port))
        }
    }

    @Test("a certificate is refused after its last day and before its first, by the clock that was given")
    func dates() async throws {
        try await expect(.expired, of: world.chain, at: TestTime.start + 21 * TestTime.day)
        try await expect(.expired, of: world.chain, at: TestTime.start - TestTime.day)
    }

    @Test("a chain without its intermediate is refused")
    func incomplete() async throws { try await expect(.unknownAuthority, of: [world.leaf]) }

    @Test("a certificate that a server's certificate has signed is refused")
    func issuedByServer() async throws {
        let issued = try world.authority.server(TestWorld.names, by: world.leaf)
        try await expect(.unknownAuthority, of: [issued, world.leaf, world.intermediate])
    }

    @Test("an issuer whose key is not for certificates is refused")
    func issuerUsage() async throws {
        let issuer = try world.authority.intermediate(
            "Wrong Usage", by: world.root,
            extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,digitalSignature"])
        try await expect(
            .unknownAuthority, of: [try world.authority.server(TestWorld.names, by: issuer), issuer])
    }

    @Test("a certificate for clients only is refused, and so is one of an authority for clients only")
    func purposes() async throws {
        let client = try world.authority.server(
            TestWorld.names, by: world.intermediate, extensions: ["extendedKeyUsage=clientAuth"])
        try await expect(.unknownAuthority, of: [client, world.intermediate])
        let issuer = try world.authority.intermediate(
            "Clients", by: world.root,
            extensions: [
                "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign", "extendedKeyUsage=clientAuth",
            ])
        try await expect(
            .unknownAuthority, of: [try world.authority.server(TestWorld.names, by: issuer), issuer])
    }

    @Test("a certificate of version 1 issues no other one, and is no server's")
    func versionOne() async throws {
        // OpenSSL makes version 1 without extensions.
        let old = try world.authority.intermediate("Version 1", by: world.root, extensions: [])
        try await expect(.unknownAuthority, of: [try world.authority.server(TestWorld.names, by: old), old])
    }

    @Test("an asterisk is for one whole label, in front of at least two others")
    func wildcards() async throws {
        for (pattern, host) in [
            ("*", "localhost"), ("*.test", "example.test"), ("a*.example.test", "api.example.test"),
            ("*i.example.test", "api.example.test"), ("*.example.test", "example.test"),
            ("*.example.test", "a.b.example.test"), ("api.*.test", "api.example.test"),
            ("api.example.test.", "api.example.test"),
        ] {
            let leaf = try world.authority.server(["DNS:\(pattern)"], by: world.root)
            await #expect(throws: TrustFault.wrongName, "\(pattern)") { try await verify([leaf], for: host) }
        }
        let leaf = try world.authority.server(["DNS:*.Example.test"], by: world.root)
        #expect(try await verify([leaf], for: "api.example.test").certificates.count == 2)
    }

    @Test("a server's certificate for any purpose is refused, as by BoringSSL")
    func anyPurpose() async throws {
        let leaf = try world.authority.server(
            TestWorld.names, by: world.intermediate, extensions: ["extendedKeyUsage=anyExtendedKeyUsage"])
        await #expect(throws: TrustFault.unknownAuthority) { try await verify([leaf, world.intermediate]) }
    }

    @Test("an RSA key of 1,024 bits and a signature by SHA-1 are refused")
    func weak() async throws {
        let small = try world.authority.server(
            TestWorld.names, by: world.intermediate,
            newKey: ["-newkey", "rsa:1024"])
        await #expect(throws: TrustFault.unknownAuthority) { try await verify([small, world.intermediate]) }
        let issuer = try world.authority.rsaRoot("RSA Root")
        let old = try world.authority.server(TestWorld.names, by: issuer, digest: "sha1")
        await #expect(throws: TrustFault.unknownAuthority) { try await verify([old], roots: [issuer]) }
        let new = try world.authority.server(TestWorld.names, by: issuer)
        #expect(try await verify([new], roots: [issuer]).certificates.count == 2)
    }

    @Test("more certificates than any server needs are refused without a look at them")
    func tooMany() async throws {
        let surplus = Array(repeating: world.intermediate, count: HTTPLimits.presentedCertificates)
        try await expect(.tooManyCertificates, of: [world.leaf] + surplus)
    }

    @Test("certificates that issue each other do not keep the client busy: the search ends")
    func maze() async throws {
        // Nine authorities of one name and one key, with different subject alternative names: each issued each.
        let first = try world.authority.intermediate("Maze", by: world.otherRoot)
        var maze: [TestWorld.Issued] = []
        for number in 1..<HTTPLimits.presentedCertificates {
            maze.append(
                try world.authority.intermediate(
                    "Maze", by: first, for: first,
                    extensions: ["basicConstraints=critical,CA:TRUE", "subjectAltName=DNS:m\(number).test"]))
        }
        let leaf = try world.authority.server(TestWorld.names, by: first)
        await #expect(throws: TrustFault.unknownAuthority) { try await verify([leaf] + maze, roots: [world.root]) }
    }

    @Test("a server that speaks TLS 1.2 only is refused, unless the host's entry allows it")
    func oldVersion() async throws {
        try await expect(.version, of: world.chain, isTLS12: true)
        let server = try world.server(isTLS12: true)
        let allowing = client(try .pinning(to: [.of(world.leaf)], tls12: true), roots: try world.roots())
        #expect(try await allowing.send(request(server.port)).status == 200)
        // The pin is checked there, too.
        let wrong = client(try .pinning(to: [.invented(1)], tls12: true), roots: try world.roots())
        let served = try (world.chain + [world.root]).map { try Pin.of($0) }
        let before = try server.application
        await #expect(throws: HTTPFailure(.notPinned(.unknownKeys(served: served)), mayHaveArrived: false)) {
            try await wrong.send(request(server.port))
        }
        #expect(try server.application == before)
    }

    @Test("a server whose key is on P-521 is reached, and one with an unsupported kind of key is refused by name")
    func kindsOfKeys() async throws {
        let curve = try world.authority.server(
            TestWorld.names, by: world.intermediate,
            newKey: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp521r1"])
        let server = try world.server([curve, world.intermediate])
        #expect(try await client(roots: try world.roots()).send(request(server.port)).status == 200)
        let edwards = try world.authority.server(
            TestWorld.names, by: world.intermediate, newKey: ["-newkey", "ed25519"])
        try await expect(.noCommonAlgorithm, of: [edwards, world.intermediate])
    }

    @Test("a server for plain HTTP is not called one whose certificate is wrong")
    func plainHTTP() async throws {
        // It answers with the error that a server for HTTP gives to the first bytes of TLS.
        let server = try EarlyServer(
            answer: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", after: 10)
        await #expect(throws: HTTPFailure(.untrusted(.notTLS), mayHaveArrived: false)) {
            try await client(roots: try world.roots()).send(request(server.port, body: "payment"))
        }
    }

    @Test("a certificate that is valid only with a staple is refused")
    func mustStaple() async throws {
        let leaf = try world.authority.server(
            TestWorld.names, by: world.intermediate,
            extensions: ["extendedKeyUsage=serverAuth", "tlsfeature=status_request"]
        )
        try await expect(.stapleRequired, of: [leaf, world.intermediate])
    }

    @Test("an impostor whose authority excludes the host does not reach it with a wildcard, and reads no byte")
    func excludedWildcard() async throws {
        let authority = try world.authority.intermediate(
            "Constrained", by: world.root,
            extensions: [
                "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign",
                "nameConstraints=critical,permitted;DNS:example.test,excluded;DNS:bar.example.test",
            ])
        let impostor = try world.server(
            [try world.authority.server(["DNS:*.example.test"], by: authority), authority])
        // The proxy leads every name to the impostor, as an attacker on the way does.
        let socks = try SOCKSServer(to: impostor.port)
        let proxy = try SOCKSProxy(host: "127.0.0.1", port: socks.port, authentication: .none).required
        let client = client(roots: try world.roots(), proxy: proxy)
        await #expect(throws: HTTPFailure(.untrusted(.forbiddenName), mayHaveArrived: false)) {
            try await client.send(request(443, host: "bar.example.test", body: "payment"))
        }
        try await Patience.wait(for: "the refusal") { try !impostor.connections.isEmpty }
        #expect(try impostor.connections == ["refused"])
        #expect(try impostor.application == "")
    }

    @Test("a server that closes the connection within the handshake was not reached by the request")
    func noTLS() async throws {
        // It reads two bytes, which are not those of SOCKS5.
        let server = try SOCKSServer(to: 1)
        await #expect(throws: HTTPFailure(.closed, mayHaveArrived: false)) {
            try await client(roots: try world.roots()).send(request(server.port))
        }
    }

    @Test("the pin is that of OpenSSL, for keys on curves and RSA keys")
    func pins() async throws {
        let chain = try await verify(world.chain)
        #expect(chain.pins.map(\.description) == (world.chain + [world.root]).map(\.pin))
        let rsa = try world.authority.rsaRoot("RSA")
        let leaf = try world.authority.server(TestWorld.names, by: rsa)
        #expect(try await verify([leaf], roots: [rsa]).pins.map(\.description) == [leaf.pin, rsa.pin])
    }

    @Test("the system's authorities are read from its file, except for keys and signatures of unknown kinds")
    func system() throws {
        let text = TrustRoots.files.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first
        let count = (text ?? "").split(separator: "\n").count { $0 == "-----BEGIN CERTIFICATE-----" }
        #expect(TrustRoots.systemCertificates.count > count * 3 / 4 || count == 0)
        #expect(TrustRoots.systemCertificates.count <= count)
    }

    private func verify(
        _ chain: [TestWorld.Issued], roots: [TestWorld.Issued]? = nil, for host: String = "localhost"
    ) async throws -> VerifiedChain {
        try await ChainVerifier(roots: try world.roots(roots)).verify(
            chain.map { try $0.der }, for: host, at: TestTime.start, wanted: [])
    }
}
