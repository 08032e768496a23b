internal import AuthAPI
internal import Encoding
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Secrets
internal import Testing
internal import Tokens

@testable internal import AuthServer

@Suite("Limits")
struct LimitTests {
    typealias Bucket = ServerConfiguration.LimitSettings.Bucket

    @Test("an address has to wait, is told how long, and then goes on", arguments: StoreUnderTest.expected)
    func address(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.address = Bucket(burst: 3, perMinute: 20) }) { server in
            let (phone, laptop) = (server.device(), server.device())
            for _ in 0..<3 { _ = try await phone.signInOptions() }
            try await server.refuses(Problem(.rateLimited, retryAfter: 3)) { _ = try await phone.signInOptions() }
            // Another key at the same address is the same address.
            await #expect(throws: Problem(.rateLimited, retryAfter: 3)) { _ = try await laptop.signInOptions() }
            let path = "/api/auth/passkey/authenticate/options"
            let answer = try await laptop.send(
                .post, path, as: .proof, type: "application/json", body: Array("{\"purpose\":\"sign_in\"}".utf8))
            #expect(answer.status == 429)
            #expect(answer.headers[.retryAfter] == "3")
            server.clock.advance(.seconds(3))
            _ = try await phone.signInOptions()
            await #expect(throws: Problem(.rateLimited, retryAfter: 3)) { _ = try await phone.signInOptions() }
            // The operator's probes do not wait.
            #expect(try await server.send(.get, "/healthz").status == 200)
            #expect(try await server.send(.get, "/readyz").status == 200)
        }
    }

    @Test(
        "a session that asks too often waits, without its tokens being taken, and makes no other session of its account wait",
        arguments: StoreUnderTest.expected)
    func session(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.account = Bucket(burst: 5, perMinute: 60) }) { server in
            let (owner, thief, laptop, keys) = (
                server.device(), server.device(), server.device(), server.authenticator()
            )
            try await owner.signUp(with: keys)
            try await thief.signIn(with: keys)
            for _ in 0..<5 { try await thief.call(.get, "/api/auth/session") }
            let tooMany = Problem(.rateLimited, retryAfter: 1)
            try await server.refuses(tooMany) { try await thief.call(.get, "/api/auth/session") }
            #expect(try await thief.refresh().session == thief.tokens?.session)
            server.clock.advance(.seconds(1))
            #expect(try await thief.isSignedIn())
            await #expect(throws: tooMany) { try await thief.call(.get, "/api/auth/session") }
            // The owner gets in, sees it and ends it.
            try await laptop.signIn(with: keys)
            for path in ["session", "sessions", "devices"] { try await owner.call(.get, "/api/auth/\(path)") }
            try await owner.call(.post, "/api/auth/sessions/revoke-others")
            server.clock.advance(.seconds(1))
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test("an account's sign-ins have to wait when they are many", arguments: StoreUnderTest.expected)
    func account(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.account = Bucket(burst: 2, perMinute: 60) }) { server in
            let (phone, other, keys, others) = (
                server.device(), server.device(), server.authenticator(), server.authenticator()
            )
            try await phone.signUp(with: keys)
            try await other.signUp(with: others)
            for _ in 0..<2 { try await phone.signIn(with: keys) }
            try await server.refuses(Problem(.rateLimited, retryAfter: 1)) { try await phone.signIn(with: keys) }
            try await other.signIn(with: others)
            server.clock.advance(.seconds(1))
            try await phone.signIn(with: keys)
        }
    }

    @Test(
        "a device that refreshes too often waits; its token and its proof are as good as before",
        arguments: StoreUnderTest.expected)
    func device(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.device = Bucket(burst: 2, perMinute: 60) }) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await laptop.signIn(with: keys)
            for _ in 0..<2 { try await phone.refresh() }
            let path = "/api/auth/token/validate"
            let headers: HTTPFields = [.dpop: try phone.proof(.post, path), .contentType: "application/json"]
            let body = TokenValidation(refreshToken: try phone.refreshToken).json.encoded
            let refused = try await server.send(.post, path, headers: headers, body: body)
            #expect(refused.problem == Problem(.rateLimited, retryAfter: 1))
            try await laptop.refresh()
            server.clock.advance(.seconds(1))
            // The very same request.
            #expect(try await server.send(.post, path, headers: headers, body: body).status == 200)
        }
    }

    @Test("an answer that comes again and again is counted against its address", arguments: StoreUnderTest.expected)
    func usedChallenge(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.address = Bucket(burst: 6, perMinute: 1) }) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            let options = try await phone.signInOptions()
            try await server.uncount()
            let signed = try keys.authenticate(options, signCount: 0)
            try await phone.authenticate(signed)
            for _ in 0..<2 {
                try await server.refuses(Problem(.challengeUsed)) { try await phone.authenticate(signed) }
            }
            try await server.refuses(Problem(.rateLimited, retryAfter: 60)) { try await phone.authenticate(signed) }
        }
    }

    @Test("whoever knows the id of a passkey keeps nobody out by it", arguments: StoreUnderTest.expected)
    func refusedSignIns(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.account = Bucket(burst: 3, perMinute: 1) }) { server in
            let (phone, thief, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            for _ in 0..<3 {
                let signed = try keys.authenticate(await thief.signInOptions())
                    .setting("response", "signature", to: "AAAA")
                try await server.refuses(Problem(.passkeyRefused), changing: ["security_events"]) {
                    try await thief.authenticate(signed)
                }
            }
            let signed = try keys.authenticate(await thief.signInOptions())
                .setting("response", "signature", to: "AAAA")
            try await server.refuses(Problem(.rateLimited, retryAfter: 60)) { try await thief.authenticate(signed) }
            #expect(try await phone.isSignedIn())
            try await server.device().signIn(with: keys)
        }
    }

    @Test("the secret of an introspecting service is not guessed for long; the service itself never waits")
    func introspection() async throws {
        try await TestServer.with(changing: { $0.limits.address = Bucket(burst: 5, perMinute: 1) }) { server in
            let guess = basic("api", "guess")
            for _ in 0..<5 {
                #expect(try await server.introspect("x", authorization: guess).problem == Problem(.invalidClient))
            }
            let refused = try await server.introspect("x", authorization: guess)
            #expect(refused.problem == Problem(.rateLimited, retryAfter: 60))
            for _ in 0..<10 { #expect(try await server.introspect("x").status == 200) }
        }
    }

    @Test("recovery codes are tried five times, then once a minute", arguments: StoreUnderTest.expected)
    func recovery(_ store: StoreUnderTest) async throws {
        let limit = Bucket(burst: 5, perMinute: 1)
        try await TestServer.with(store, changing: { $0.limits.recovery = limit }) { server in
            let code = try #require(try await server.device().signUp(with: server.authenticator()).recoveryCodes?.first)
            for number in 0..<5 {
                let guess = RecoveryCode(random: server.random()).text
                await #expect(throws: Problem(.recoveryRefused), "\(number)") {
                    try await server.device().recoveryOptions(guess)
                }
            }
            // Not even the right one.
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) {
                try await server.device().recoveryOptions(code)
            }
            server.clock.advance(.minutes(1))
            try await server.device().recover(code, with: server.authenticator())
        }
    }

    @Test(
        "of recovery codes that are nobody's, wrong or used, nothing tells which; each costs a hash",
        arguments: StoreUnderTest.expected)
    func noEnumeration(_ store: StoreUnderTest) async throws {
        let cost = RecoveryCode.Cost(passes: 3, memoryKiB: 32 << 10)
        try await TestServer.with(store, recoveryCost: cost) { server in
            let codes = try #require(try await server.device().signUp(with: server.authenticator()).recoveryCodes)
            try await server.device().recover(codes[0], with: server.authenticator())
            let known = try #require(RecoveryCode(codes[1]))
            var wrong = codes[1]
            wrong.replaceSubrange(wrong.index(before: wrong.endIndex)..., with: wrong.hasSuffix("0") ? "1" : "0")
            try #require(RecoveryCode(wrong)?.selector == known.selector)

            let clock = ContinuousClock()
            let oneHash =
                try (0..<3).map { _ in
                    try clock.measure { _ = try known.hash(salt: [UInt8](repeating: 0, count: 16), cost: cost) }
                }.min() ?? .zero
            var answers: [(Int, String, Int)] = []
            for code in [RecoveryCode(random: server.random()).text, wrong, codes[0]] {
                let device = server.device()
                device.nonce = server.nonce
                let (start, writes) = (clock.now, server.database.writes)
                let answer = try await device.sendOnce(
                    .post, "/api/auth/recovery/options", as: .proof, type: "application/json",
                    body: RecoveryRequest(code: code).json.encoded)
                #expect(clock.now - start > oneHash / 2)
                // A write that changes nothing is not waited for as long.
                answers.append((answer.status, answer.text, server.database.writes - writes))
            }
            #expect(answers.allSatisfy { $0 == answers[0] })
            #expect(answers[0].0 == 400)
            let dump = try await TableDump.all(in: server)
            #expect(try await server.events()["recovery_refused"] == 2)
            // What is kept of nobody's code goes by itself.
            server.clock.advance(.minutes(10))
            try await server.server.maintenance.forget(part: 0)
            #expect(dump.rows["spent_values"]?.isEmpty == false)
            #expect(try await TableDump.all(in: server).rows["spent_values"]?.isEmpty == true)
        }
    }

    @Test("a sign-up that is sent again, or too often, costs no hashing")
    func signUpIsCounted() async throws {
        try await TestServer.with(changing: { $0.limits.address = Bucket(burst: 3, perMinute: 1) }) { server in
            let phone = server.device()
            _ = try await phone.signInOptions()
            let credential = try server.authenticator().register(await phone.signUpOptions())
            let path = "/api/auth/passkey/register"
            let request = CredentialRequest(credential: credential, accountName: "Ada").json.encoded
            let headers: HTTPFields = [.dpop: try phone.proof(.post, path), .contentType: "application/json"]
            #expect(try await server.send(.post, path, headers: headers, body: request).status == 200)
            // What is random in a code and its salt is drawn before they are hashed.
            let drawn = server.serverRandom.drawn
            #expect(try await server.send(.post, path, headers: headers, body: request).problem?.code == .rateLimited)
            server.clock.advance(.minutes(1))
            phone.nonce = server.nonce
            #expect(
                try await server.send(.post, path, headers: headers, body: request).problem
                    == Problem(.invalidDPoPProof, status: 400))
            #expect(server.serverRandom.drawn == drawn)
        }
    }

    // MARK: Addresses

    @Test("X-Forwarded-For is believed of the proxies, and of it the last address that is none of theirs")
    func forwarded() async throws {
        let one = Bucket(burst: 1, perMinute: 1)
        try await TestServer.with(changing: {
            $0.limits.address = one
            $0.transport = .behindProxy(addresses: [TestServer.peer, "10.0.0.9"])
        }) { server in
            let knocks: [([String], Int)] = [
                (["203.0.113.7"], 200), (["203.0.113.7"], 429),
                // What the client wrote itself stands in front.
                (["198.51.100.1, 203.0.113.7"], 429), (["198.51.100.1", "203.0.113.7"], 429),
                (["203.0.113.7, 10.0.0.9"], 429), (["203.0.113.7,198.51.100.1"], 200),
                // One customer has 2^64 addresses.
                (["2001:db8:1:2:3:4:5:6"], 200), (["2001:db8:1:2:ffff::"], 429), (["2001:db8:1:3::1"], 200),
                // One address, two ways to write it, and with the port of a connection.
                (["::ffff:203.0.113.7"], 429), (["203.0.113.7:50001"], 429), (["[2001:db8:1:2::9]:50002"], 429),
                (["[2001:db8:1:2::9]"], 429), (["203.0.113.8:50001"], 200), (["203.0.113.8:50002"], 429),
            ]
            for (forwarded, status) in knocks {
                let answered = try await server.knock(forwarded)
                #expect(answered == status, "\(forwarded)")
            }
        }
        for transport in [ServerConfiguration.Transport.localhost, .behindProxy(addresses: ["10.0.0.9"])] {
            try await TestServer.with(changing: {
                $0.limits.address = one
                $0.transport = transport
            }) { server in
                let statuses = [try await server.knock(["203.0.113.7"]), try await server.knock(["203.0.113.8"])]
                #expect(statuses == [200, 429])
            }
        }
    }

    @Test("a proxy with an address of IPv6 is believed, however that is written, and its neighbours are not")
    func proxyOfIPv6() throws {
        let configuration = try ServerConfiguration(
            ConfigurationSource(
                file: nil,
                environment: [
                    "FUEKID_PUBLIC_URL": "https://auth.example.com", "FUEKID_PROXY_ADDRESSES": "2001:DB8:0::1, ::1",
                    "FUEKID_METRICS_ADDRESSES": "2001:db8::0:5",
                ]))
        let address = { (peer: String) in
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: "localhost", path: "/",
                headerFields: [.xForwardedFor: "203.0.113.7"])
            return ClientAddress(
                of: Request(head: head, body: RequestBody(buffer: ByteBuffer())), peer: peer,
                transport: configuration.transport
            ).description
        }
        #expect(address("2001:db8::1") == "203.0.113.7")
        #expect(address("::1") == "203.0.113.7")
        #expect(address("2001:db8::2") == "2001:db8:0:0::/64")
        #expect(configuration.showsMetrics(to: ClientAddress("2001:db8::5")))
        #expect(configuration.showsMetrics(to: ClientAddress("::1")))
        #expect(configuration.showsMetrics(to: ClientAddress("127.0.0.1")))
        #expect(configuration.showsMetrics(to: ClientAddress("::ffff:127.0.0.1")))
        for other in ["2001:db8::6", "::2", "203.0.113.7", "none"] {
            #expect(!configuration.showsMetrics(to: ClientAddress(other)))
        }
    }
}

extension TestServer {
    fileprivate var nonce: String { server.backend.keys.current.nonces.issue(now: clock.now) }

    /// The status of a small request that came through those proxies.
    fileprivate func knock(_ forwarded: [String]) async throws -> Int {
        let path = "/api/auth/passkey/authenticate/options"
        let device = device()
        device.nonce = nonce
        var headers = try device.headers(.post, path, as: .proof)
        headers[.contentType] = "application/json"
        headers[values: .xForwardedFor] = forwarded
        return try await send(.post, path, headers: headers, body: Array("{\"purpose\":\"sign_in\"}".utf8)).status
    }
}
