internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Secrets
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("Limits")
struct LimitTests {
    typealias Bucket = ServerConfiguration.LimitSettings.Bucket

    @Test("an address over its limit is told how long to wait, and then continues", arguments: StoreUnderTest.expected)
    func address(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.limits.address = Bucket(burst: 3, perMinute: 20) }) { server in
            let (phone, laptop) = (server.device(), server.device())
            for _ in 0..<3 { _ = try await phone.signInOptions() }
            try await server.refuses(Problem(.rateLimited, retryAfter: 3)) { _ = try await phone.signInOptions() }
            // Another key at the same address shares the limit.
            await #expect(throws: Problem(.rateLimited, retryAfter: 3)) { _ = try await laptop.signInOptions() }
            let path = "/api/auth/passkey/authenticate/options"
            let answer = try await laptop.send(
                .post, path, as: .proof, type: "application/json", body: Array("{\"purpose\":\"sign_in\"}".utf8))
            #expect(answer.status == 429)
            #expect(answer.headers[.retryAfter] == "3")
            server.clock.advance(.seconds(3))
            _ = try await phone.signInOptions()
            await #expect(throws: Problem(.rateLimited, retryAfter: 3)) { _ = try await phone.signInOptions() }
            // The operator's probes are not limited.
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
            // The owner signs in, sees the session and ends it.
            try await laptop.signIn(with: keys)
            for path in ["session", "sessions", "devices"] { try await owner.call(.get, "/api/auth/\(path)") }
            try await owner.call(.post, "/api/auth/sessions/revoke-others")
            server.clock.advance(.seconds(1))
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test("a session over its limit is refused without a write, and its proof stays unspent")
    func pausedSession() async throws {
        try await TestServer.with(changing: { $0.limits.account = Bucket(burst: 3, perMinute: 60) }) { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            for _ in 0..<3 { try await phone.call(.get, "/api/auth/session") }
            let spent = { try await TableDump.all(in: server).rows["spent_values"]?.count ?? 0 }
            let before = try await spent()
            for _ in 0..<5 {
                await #expect(throws: Problem(.rateLimited, retryAfter: 1)) {
                    try await phone.call(.get, "/api/auth/session")
                }
            }
            #expect(try await spent() == before)
            server.clock.advance(.seconds(1))
            try await phone.call(.get, "/api/auth/session")
        }
    }

    @Test("sign-ins of one account are limited", arguments: StoreUnderTest.expected)
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
            // The same request again.
            #expect(try await server.send(.post, path, headers: headers, body: body).status == 200)
        }
    }

    @Test("a repeated answer is counted for its address", arguments: StoreUnderTest.expected)
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

    @Test("knowing the id of a passkey does not lock out its owner", arguments: StoreUnderTest.expected)
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

    @Test("guessing an introspection secret is limited; the service itself never waits")
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

    @Test(
        "five recovery codes are refused, then one a minute; the right one is accepted anyway",
        arguments: StoreUnderTest.expected)
    func recovery(_ store: StoreUnderTest) async throws {
        let limit = Bucket(burst: 5, perMinute: 1)
        try await TestServer.with(store, changing: { $0.limits.recovery = limit }) { server in
            let code = try #require(try await server.device().signUp(with: server.authenticator()).recoveryCodes?.first)
            let guess = { () async throws in
                _ = try await server.device().recoveryOptions(RecoveryCode(random: server.random()).text)
            }
            for number in 0..<5 {
                await #expect(throws: Problem(.recoveryRefused), "\(number)") { try await guess() }
            }
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { try await guess() }
            server.clock.advance(.minutes(1))
            await #expect(throws: Problem(.recoveryRefused)) { try await guess() }
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { try await guess() }
            try await server.device().recover(code, with: server.authenticator())
        }
    }

    @Test(
        "a recovery code is tried five times, from wherever; and of all codes so many are refused in a minute",
        arguments: StoreUnderTest.expected)
    func recoveryFromEverywhere(_ store: StoreUnderTest) async throws {
        try await TestServer.with(
            store,
            changing: { configuration in
                configuration.limits.recovery = Bucket(burst: 5, perMinute: 1)
                configuration.limits.allRecoveries = Bucket(burst: 8, perMinute: 1)
                configuration.transport = .behindProxy(addresses: [TestServer.peer])
            }
        ) { server in
            let from = { (number: Int) in
                let device = server.device()
                device.address = "203.0.\(number).7"
                return device
            }
            let codes = try #require(try await from(0).signUp(with: server.authenticator()).recoveryCodes)
            let known = try #require(RecoveryCode(codes[0]))
            for number in 1...5 {
                let guess = TypedCode.text(of: known.selector + bytes(UInt8(number), 14), .recovery)
                await #expect(throws: Problem(.recoveryRefused)) { try await from(number).recoveryOptions(guess) }
            }
            let guess = TypedCode.text(of: known.selector + bytes(9, 14), .recovery)
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { try await from(6).recoveryOptions(guess) }
            // Other codes are tried from elsewhere, until the limit of all is reached. Attempts that the code's own
            // limit refused do not count.
            for number in 7...9 {
                let other = RecoveryCode(random: server.random()).text
                await #expect(throws: Problem(.recoveryRefused)) { try await from(number).recoveryOptions(other) }
            }
            let other = RecoveryCode(random: server.random()).text
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { try await from(10).recoveryOptions(other) }
            // The right code is accepted.
            try await from(11).recover(codes[0], with: server.authenticator())
            try await from(12).recover(codes[1], with: server.authenticator())
        }
    }

    @Test(
        "of recovery codes that are nobody's, wrong or used, nothing tells which", arguments: StoreUnderTest.expected)
    func noEnumeration(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let codes = try #require(try await server.device().signUp(with: server.authenticator()).recoveryCodes)
            try await server.device().recover(codes[0], with: server.authenticator())
            let known = try #require(RecoveryCode(codes[1]))
            let wrong = TypedCode.text(of: known.selector + bytes(1, 14), .recovery)
            var answers: [(Int, String, Int)] = []
            for code in [RecoveryCode(random: server.random()).text, wrong, codes[0]] {
                let device = server.device()
                device.nonce = server.nonce
                let writes = server.database.writes
                let answer = try await device.sendOnce(
                    .post, "/api/auth/recovery/options", as: .proof, type: "application/json",
                    body: RecoveryRequest(code: code).json.encoded)
                // A write that changes nothing is not waited for as long.
                answers.append((answer.status, answer.text, server.database.writes - writes))
            }
            #expect(answers.allSatisfy { $0 == answers[0] })
            #expect(answers[0].0 == 400)
            let dump = try await TableDump.all(in: server)
            #expect(try await server.events()["recovery_refused"] == 2)
            // Rows for codes without an account are removed after some time.
            server.clock.advance(.minutes(10))
            try await server.server.maintenance.forget(part: 0)
            #expect(dump.rows["spent_values"]?.isEmpty == false)
            #expect(try await TableDump.all(in: server).rows["spent_values"]?.isEmpty == true)
        }
    }

    @Test("a sign-in costs two requests of the address limit; requests of a session cost none of it")
    func page() async throws {
        try await TestServer.with(changing: { $0.limits.address = Bucket(burst: 4, perMinute: 1) }) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            for path in Endpoint.pages + ["/.well-known/jwks.json", "/healthz", "/openapi.json"] {
                #expect(try await server.send(.get, path).status == 200)
            }
            try await phone.signIn(with: keys)
            for _ in 0..<20 {
                for path in ["session", "devices", "passkeys", "sessions"] {
                    try await phone.call(.get, "/api/auth/\(path)")
                }
            }
            for _ in 0..<5 { try await phone.refresh() }
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { try await server.device().signInOptions() }
        }
    }

    @Test("a refresh writes no row of limits, whatever key signs its proof: the limit is in the session's row")
    func rows() async throws {
        try await TestServer.with { server in
            let (phone, thief) = (server.device(), server.device())
            try await phone.signUp(with: server.authenticator())
            let count = { try await TableDump.all(in: server).rows["rate_limits"]?.count ?? 0 }
            let before = try await count()
            try await phone.refresh()
            for _ in 0..<5 {
                let thief = server.device()
                await #expect(throws: Problem(.invalidGrant)) { try await thief.refresh(phone.refreshToken) }
            }
            await #expect(throws: Problem(.invalidGrant)) { try await thief.refresh("not a token") }
            #expect(try await count() == before)
        }
    }

    @Test("the networks of one IPv6 customer share limits, and so do the addresses of one IPv4 network")
    func networks() async throws {
        try await TestServer.with(changing: { configuration in
            configuration.limits.network = Bucket(burst: 20, perMinute: 2)
            configuration.transport = .behindProxy(addresses: [TestServer.peer])
        }) { server in
            let knock = { (address: String) in try await server.knock([address]) }
            // 75 requests of 75 networks in one /48: half of the limit for each /56, and then none.
            var statuses: [Int] = []
            for number in 0..<75 { statuses.append(try await knock("2001:db8:1:\(String(number, radix: 16))::1")) }
            #expect(statuses.filter { $0 == 200 }.count == 10)
            statuses = []
            for number in 0..<75 { statuses.append(try await knock("2001:db8:1:\(String(number, radix: 16))00::1")) }
            #expect(statuses.filter { $0 == 200 }.count == 10)
            #expect(try await knock("2001:db8:2::1") == 200)
            statuses = []
            for number in 0..<75 { statuses.append(try await knock("203.0.113.\(number)")) }
            #expect(statuses.filter { $0 == 200 }.count == 20)
            #expect(try await knock("203.0.112.1") == 200)
            server.clock.advance(.minutes(1))
            #expect(try await knock("2001:db8:1:1::1") == 200)
        }
    }

    @Test("a device that repeats requests without end is limited, and uses up nothing of its address")
    func circles() async throws {
        try await TestServer.with(changing: { configuration in
            configuration.limits.address = Bucket(burst: 20, perMinute: 1)
            configuration.limits.device = Bucket(burst: 5, perMinute: 60)
        }) { server in
            let phone = server.device()
            for _ in 0..<5 { _ = try await phone.signInOptions() }
            for _ in 0..<50 {
                await #expect(throws: Problem(.rateLimited, retryAfter: 1)) { try await phone.signInOptions() }
            }
            for _ in 0..<15 { _ = try await server.device().signInOptions() }
        }
    }

    @Test("a repeated or rate-limited sign-up generates no recovery codes")
    func signUpIsCounted() async throws {
        try await TestServer.with(changing: { $0.limits.address = Bucket(burst: 3, perMinute: 1) }) { server in
            let phone = server.device()
            _ = try await phone.signInOptions()
            let credential = try server.authenticator().register(await phone.signUpOptions())
            let path = "/api/auth/passkey/register"
            let request = CredentialRequest(credential: credential, accountName: "Ada").json.encoded
            let headers: HTTPFields = [.dpop: try phone.proof(.post, path), .contentType: "application/json"]
            #expect(try await server.send(.post, path, headers: headers, body: request).status == 200)
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
}

extension TestServer {
    var nonce: String { server.keys.current.nonces.issue(now: clock.now) }

    /// Returns the status of a small request through those proxies.
    func knock(_ forwarded: [String]) async throws -> Int {
        let path = "/api/auth/passkey/authenticate/options"
        let device = device()
        device.nonce = nonce
        var headers = try device.headers(.post, path, as: .proof)
        headers[.contentType] = "application/json"
        headers[values: .xForwardedFor] = forwarded
        return try await send(.post, path, headers: headers, body: Array("{\"purpose\":\"sign_in\"}".utf8)).status
    }
}
