internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("Refresh tokens over HTTP")
struct RefreshTests {
    @Test("redeeming rotates; the old access token is valid until it expires", arguments: StoreUnderTest.expected)
    func rotation(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let first = try #require(try await phone.signUp(with: server.authenticator()).tokens)
            let second = try await phone.refresh()
            #expect(second.refreshToken != first.refreshToken)
            #expect(second.session == first.session)
            #expect(second.sessionExpires == first.sessionExpires)
            #expect((1...900).contains(second.expiresIn))
            #expect(try await phone.isSignedIn())
            phone.tokens = first
            #expect(try await phone.isSignedIn())
            #expect(try await server.generation() == 1)
        }
    }

    @Test("a retry returns the same successor, even if that was redeemed", arguments: StoreUnderTest.expected)
    func lostAnswer(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let t0 = try #require(try await phone.signUp(with: server.authenticator()).tokens?.refreshToken)
            let t1 = try await phone.refresh(t0).refreshToken
            server.clock.advance(.seconds(60))
            #expect(try await phone.refresh(t0).refreshToken == t1)
            let t2 = try await phone.refresh(t1).refreshToken
            #expect(t2 != t1)
            #expect(try await phone.refresh(t0).refreshToken == t1)
            #expect(try await phone.refresh(t1).refreshToken == t2)
            #expect(try await server.generation() == 2)
        }
    }

    @Test("200 concurrent redemptions of one token make one successor", arguments: StoreUnderTest.expected)
    func race(_ store: StoreUnderTest) async throws {
        try await TestServer.withReplicas(2, store) { servers in
            let phone = servers[0].device()
            let t0 = try #require(try await phone.signUp(with: servers[0].authenticator()).tokens?.refreshToken)
            let devices = [phone, phone.asking(servers[1])]
            let successors = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<200 {
                    group.addTask { try await devices[number % 2].refresh(t0).refreshToken }
                }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(successors.count == 200)
            #expect(Set(successors).count == 1)
            #expect(try await servers[0].generation() == 1)
            #expect(try await servers[1].events()["refresh_token_reused"] == nil)
        }
    }

    @Test("a retry of a token while its successor is redeemed ends no session", arguments: StoreUnderTest.expected)
    func raceOfGenerations(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let t0 = try #require(try await phone.signUp(with: server.authenticator()).tokens?.refreshToken)
            let t1 = try #require(try await phone.refresh(t0).refreshToken)
            let answers = try await withThrowingTaskGroup(of: (Bool, String?).self) { group in
                for number in 0..<40 {
                    let isOld = number % 2 == 0
                    group.addTask { (isOld, try await phone.refresh(isOld ? t0 : t1).refreshToken) }
                }
                return try await group.reduce(into: [(Bool, String?)]()) { $0.append($1) }
            }
            #expect(Set(answers.filter { $0.0 }.map(\.1)) == [t1])
            #expect(Set(answers.filter { !$0.0 }.map(\.1)).count == 1)
            #expect(try await server.generation() == 2)
            #expect(try await phone.isSignedIn())
        }
    }

    @Test("a token used again after the window ends its session only", arguments: StoreUnderTest.expected)
    func reuse(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            let t0 = try #require(try await phone.signUp(with: keys).tokens?.refreshToken)
            try await laptop.signIn(with: keys)
            let t1 = try #require(try await phone.refresh(t0).refreshToken)
            server.clock.advance(.milliseconds(60_001))
            try await server.refuses(Problem(.invalidGrant), changing: ["refresh_tokens", "security_events"]) {
                try await phone.refresh(t0)
            }
            #expect(try await !phone.isSignedIn())
            // The successor ended with the session. Asking again records no other event.
            try await server.refuses(Problem(.invalidGrant)) { try await phone.refresh(t1) }
            #expect(try await server.events()["refresh_token_reused"] == 1)
            #expect(try await laptop.isSignedIn())
            try await laptop.refresh()
        }
    }

    @Test("a token with another device's key ends its session", arguments: StoreUnderTest.expected)
    func otherKey(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, thief) = (server.device(), server.device())
            let t0 = try #require(try await phone.signUp(with: server.authenticator()).tokens?.refreshToken)
            try await server.refuses(Problem(.invalidGrant), changing: ["refresh_tokens", "security_events"]) {
                try await thief.refresh(t0)
            }
            #expect(try await !phone.isSignedIn())
            let reasons = try await server.database.read {
                try $0.run("SELECT revoked_reason FROM refresh_tokens", []).map { try $0.text(0) }
            }
            #expect(reasons == ["reuse"])
        }
    }

    @Test("an old proof is refused, also after its replay value was removed", arguments: StoreUnderTest.expected)
    func lateProof(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let (refresh, path) = (server.server.useCases.refresh, "/api/auth/token/validate")
            let proof = try DPoPProof.read(
                phone.proof(.post, path), method: "POST", url: try ProofURL(TestServer.origin + path),
                presentedWith: .alone, timeliness: .nonce(server.server.keys.current.nonces), now: server.clock.now)
            // Two requests with it, whose bodies have not arrived yet.
            let request = UnprovenRequest(proof: proof, address: ClientAddress(TestServer.peer), status: 400)
            _ = try await refresh.redeem(phone.refreshToken, request)
            let refused = Problem(.invalidDPoPProof, status: 400)
            await #expect(throws: refused) { try await refresh.redeem(phone.refreshToken, request) }
            server.clock.advance(.minutes(10))
            try await server.maintain()
            await #expect(throws: refused) { try await refresh.redeem(phone.refreshToken, request) }
        }
    }

    @Test("a token of another server changes nothing, whatever session it names")
    func garbage() async throws {
        try await TestServer.with { server in
            let (phone, thief) = (server.device(), server.device())
            let token = try #require(try await phone.signUp(with: server.authenticator()).tokens?.refreshToken)
            let bytes = try Base64URL.decode(token)
            // Version, key number, family, generation, random part, tag.
            for position in [0, 1, 2, 17, 18, 21, 22, 53, 54, bytes.count - 1] {
                var forged = bytes
                forged[position] ^= 1
                let text = Base64URL.encode(forged)
                for device in [phone, thief] {
                    try await server.refuses(Problem(.invalidGrant)) { try await device.refresh(text) }
                }
            }
            for text in ["x", token + "A", String(token.dropLast()), token + "=", " " + token] {
                try await server.refuses(Problem(.invalidGrant)) { try await thief.refresh(text) }
            }
            #expect(try await phone.isSignedIn())
            try await phone.refresh()
        }
    }

    @Test("seven days without a refresh end a session, and thirty days in all", arguments: StoreUnderTest.expected)
    func expiry(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await laptop.signIn(with: keys)
            for _ in 0..<4 {
                server.clock.advance(.days(7).less(.milliseconds(1)))
                try await phone.refresh()
            }
            try await server.refuses(Problem(.invalidGrant)) { try await laptop.refresh() }
            server.clock.advance(.days(2))
            let last = try await phone.refresh()
            // The access token does not outlive the session.
            #expect(last.expiresIn <= last.sessionExpires.seconds - server.clock.now.seconds)
            server.clock.advance(.milliseconds(4))
            try await server.refuses(Problem(.invalidGrant)) { try await phone.refresh() }
            #expect(try await !phone.isSignedIn())
            #expect(try await server.events()["refresh_token_reused"] == nil)
        }
    }

    @Test("more than eight rotations in a minute have to wait, and lose nothing")
    func slowDown() async throws {
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            for _ in 0..<8 {
                server.clock.advance(.seconds(1))
                try await phone.refresh()
            }
            let held = try #require(phone.tokens)
            try await server.refuses(Problem(.rateLimited, retryAfter: 54)) { try await phone.refresh() }
            #expect(try await phone.isSignedIn())
            server.clock.advance(.seconds(54))
            #expect(try await phone.refresh(held.refreshToken).session == held.session)
            #expect(try await server.generation() == 9)
        }
    }

    @Test("a token that is repeated too often is limited, and its proof stays unspent")
    func repetitions() async throws {
        try await TestServer.with(
            changing: { $0.limits.device = ServerConfiguration.LimitSettings.Bucket(burst: 4, perMinute: 1) }
        ) { server in
            let phone = server.device()
            let t0 = try #require(try await phone.signUp(with: server.authenticator()).tokens?.refreshToken)
            let t1 = try await phone.refresh(t0).refreshToken
            for _ in 0..<3 { #expect(try await phone.refresh(t0).refreshToken == t1) }
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { try await phone.refresh(t0) }
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { try await phone.refresh(t1) }
            server.clock.advance(.seconds(60))
            #expect(try await phone.refresh(t0).refreshToken == t1)
        }
    }

    @Test("the OAuth endpoint does the same", arguments: StoreUnderTest.expected)
    func oauth(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let t0 = try #require(try await phone.signUp(with: server.authenticator()).tokens?.refreshToken)
            let answer = try TokenResponse(
                await phone.form("/api/auth/token", "grant_type=refresh_token&refresh_token=\(t0)&client_id=fueki"))
            #expect(try await phone.refresh(t0).refreshToken == answer.refreshToken)
            let wrong: [(String, ProblemCode)] = [
                ("refresh_token=\(t0)", .malformedRequest),
                ("grant_type=refresh_token", .malformedRequest),
                ("grant_type=password&refresh_token=\(t0)", .unsupportedGrantType),
                ("grant_type=refresh_token&refresh_token=\(t0)&refresh_token=\(t0)", .malformedRequest),
                ("grant_type=refresh_token&refresh_token=%zz", .malformedRequest),
                ("grant_type=refresh_token&refresh_token=%ff", .malformedRequest),
                ("grant_type=refresh_token&refresh_token=%4", .malformedRequest),
            ]
            for (fields, code) in wrong {
                try await server.refuses(Problem(code)) { try await phone.form("/api/auth/token", fields) }
            }
            // RFC 3986 section 2.1: the digits of an encoded byte are of either case.
            let encoded = try #require(phone.tokens?.refreshToken).utf8.map { "%" + Hex.encode([$0]).uppercased() }
            try await phone.form("/api/auth/token", "grant_type=refresh%5Ftoken&refresh_token=\(encoded.joined())")
        }
    }

    // MARK: RFC 7009 and RFC 7662

    @Test("a client with a token can revoke it; others learn nothing", arguments: StoreUnderTest.expected)
    func revocation(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys) = (server.device(), server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            try await laptop.signIn(with: keys)
            // Section 2.2: a token that is not known is revoked already.
            let before = try await TableDump.lasting(in: server)
            for token in ["x", "", try laptop.refreshToken + "A"] {
                let answer = try await server.form("/api/auth/token/revoke", "token=\(token)")
                #expect(answer.status == 200)
                #expect(answer.body.isEmpty)
            }
            #expect(try await TableDump.lasting(in: server) == before)
            #expect(try await server.form("/api/auth/token/revoke", "x=1").problem == Problem(.malformedRequest))

            #expect(try await server.revoke(laptop.refreshToken).status == 200)
            #expect(try await !laptop.isSignedIn())
            #expect(try await phone.isSignedIn())
            #expect(try await server.events()["session_ended"] == 1)

            // An access token is revoked alone: it is refused at once, while the session continues.
            #expect(try await server.revoke(phone.accessToken).status == 200)
            #expect(try await !phone.isSignedIn())
            try await phone.refresh()
            #expect(try await phone.isSignedIn())
        }
    }

    @Test("a client that lost an answer can still end its session", arguments: StoreUnderTest.expected)
    func revocationOfAnOlderToken(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let t0 = try #require(try await phone.signUp(with: server.authenticator()).tokens?.refreshToken)
            try await phone.refresh()
            #expect(try await server.revoke(t0).status == 200)
            #expect(try await !phone.isSignedIn())
        }
    }

    @Test("introspection requires a known client, and reveals no invalid token", arguments: StoreUnderTest.expected)
    func introspection(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let phone = server.device()
            let tokens = try #require(try await phone.signUp(with: server.authenticator()).tokens)
            let good = try await server.introspect(tokens.accessToken).json()
            #expect(good["active"] == true)
            #expect(good["sub"]?.string == tokens.account.description)
            #expect(good["sid"]?.string == tokens.session.description)
            #expect(good["cnf"]?["jkt"]?.string == phone.thumbprint.description)
            #expect(good["token_type"] == "DPoP")
            #expect(good["acr"] == "urn:fueki:aal2")

            let inactive: JSON = ["active": false]
            for token in ["", "x", tokens.accessToken + "A", try #require(tokens.refreshToken)] {
                #expect(try await server.introspect(token).json() == inactive)
            }
            try await phone.call(.post, "/api/auth/logout")
            #expect(try await server.introspect(tokens.accessToken).json() == inactive)

            let secret = TestServer.introspectionSecret
            for authorization in [
                nil, "Basic", "Basic !", basic("api", "x"), basic("other", secret), basic("api", ""),
                "Bearer \(secret)",
            ] {
                let answer = try await server.introspect(tokens.accessToken, authorization: authorization)
                #expect(answer.problem == Problem(.invalidClient))
                #expect(answer.headers[.wwwAuthenticate] == "Basic realm=\"fueki\"")
            }
        }
    }
}

/// The header of a configured client (RFC 7617).
func basic(_ name: String, _ secret: String) -> String {
    "Basic " + Base64.encode(Array("\(name):\(secret)".utf8))
}

extension TestServer {
    /// The generation of the only session.
    fileprivate func generation() async throws -> Int64 {
        try await database.read { transaction in
            let rows = try transaction.run("SELECT generation FROM refresh_tokens", [])
            try #require(rows.count == 1)
            return try rows[0].integer(0)
        }
    }

    fileprivate func form(_ path: String, _ fields: String, authorization: String? = nil) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        headers[.authorization] = authorization
        return try await send(.post, path, headers: headers, body: Array(fields.utf8))
    }

    fileprivate func revoke(_ token: String) async throws -> Answer {
        try await form("/api/auth/token/revoke", "token=\(token)")
    }

    func introspect(
        _ token: String, authorization: String? = basic("api", introspectionSecret)
    ) async throws -> Answer {
        try await form("/api/auth/token/introspect", "token=\(token)", authorization: authorization)
    }
}

extension Timestamp.Span {
    static func milliseconds(_ count: Int64) -> Timestamp.Span { Timestamp.Span(milliseconds: count) }

    fileprivate func less(_ other: Timestamp.Span) -> Timestamp.Span {
        Timestamp.Span(milliseconds: milliseconds - other.milliseconds)
    }
}
