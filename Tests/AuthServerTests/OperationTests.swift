internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time
internal import Tokens
internal import WebAuthn

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

/// The output for operators and caches, and the data that must not be in it.
@Suite("Metrics, logs, pages")
struct OperationTests {
    @Test("metrics are in Prometheus' text format, and contain nothing from clients")
    func metrics() async throws {
        try await TestServer.with(changing: { $0.metricsAddresses = [TestServer.peer] }) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys, name: "Ada Lovelace", deviceName: "Analytical engine")
            try await phone.refresh()
            _ = try await server.send(.get, "/clients-own-path?and=query")
            _ = try await server.send(.get, "/api/auth/sessions/clients-own-id\"\n")
            let invented = try #require(HTTPRequest.Method("CLIENTSOWN"))
            _ = try await server.send(invented, "/healthz")
            _ = try? await phone.call(.delete, "/api/auth/devices/clients-own-device")
            let answer = try await server.send(.get, "/metrics")
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            let text = answer.text
            for word in ["clients-own", "CLIENTSOWN", "query", "Ada", "engine", TestServer.peer + "\n"] {
                #expect(!text.contains(word), "\(word)")
            }
            let tokens = try #require(phone.tokens)
            for id in [tokens.account.description, tokens.session.description, tokens.device.description] {
                #expect(!text.contains(id))
            }
            #expect(text.contains(#"fuekid_security_events_total{kind="account_created"} 1"#))
            #expect(
                text.contains(#"fuekid_requests_total{method="POST",path="/api/auth/token/validate",status="200"} 1"#))
            #expect(text.contains(#"path="/api/auth/devices/{id}""#))
            try check(text)
        }
        try await TestServer.with { server in
            let answer = try await server.send(.get, "/metrics")
            #expect(answer.problem == Problem(.notFound))
        }
    }

    /// Every line is a comment or a sample; every sample's family has a type before it; histograms add up.
    private func check(_ text: String) throws {
        #expect(text.hasSuffix("\n"))
        let sample = /([a-z_]+)(\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? ([0-9.e+-]+)/
        var families: Set<Substring> = []
        var samples: Set<Substring> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                families.insert(line.split(separator: " ")[2])
            } else if !line.hasPrefix("# HELP ") {
                let match = try #require(line.wholeMatch(of: sample), "\(line)")
                let name = match.1
                let family = ["_bucket", "_sum", "_count"].reduce(name) {
                    $0.hasSuffix($1) ? $0.dropLast($1.count) : $0
                }
                #expect(families.contains(family), "\(line)")
                #expect(samples.insert(line.dropLast(match.3.count)).inserted, "a series is there once")
                _ = try #require(Double(match.3))
            }
        }
        #expect(families.count > 10)
    }

    @Test("the logs contain no token, proof, code, name or key", arguments: StoreUnderTest.expected)
    func logs(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, laptop, keys, more) = (
                server.device(), server.device(), server.authenticator(), server.authenticator()
            )
            let names = ["Ada-of-Lovelace", "Analytical-engine", "Difference-engine", "Blue-stick", "Renamed-thing"]
            let codes = try #require(
                try await phone.signUp(with: keys, name: names[0], deviceName: names[1]).recoveryCodes)
            try await laptop.signIn(with: keys, deviceName: names[2])
            try await phone.addPasskey(with: more, name: names[3])
            let passkey = try more.newest
            try await phone.call(.patch, "/api/auth/passkeys/\(passkey)", ["name": .string(names[4])])
            let old = try phone.refreshToken
            try await phone.refresh()
            server.clock.advance(.minutes(2))
            await #expect(throws: Problem(.invalidGrant)) { try await phone.refresh(old) }
            try await phone.signIn(with: keys)
            try await phone.stepUp(with: keys)
            try await phone.attest()
            let tokens = try #require(laptop.tokens)
            try await phone.call(.delete, "/api/auth/devices/\(tokens.device)")
            let newCodes = try RecoveryCodesAnswer(await phone.call(.post, "/api/auth/recovery/codes")).codes
            await #expect(throws: Problem(.recoveryRefused)) { try await laptop.recoveryOptions(codes[0]) }
            let fresh = server.device()
            try await fresh.recover(newCodes[0], with: server.authenticator())
            _ = try await server.send(
                .get, "/api/auth/sessions/\(try fresh.refreshToken)?token=\(try fresh.accessToken)")
            let path = "/api/auth/logout"
            let malformed = try fresh.headers(.post, path, as: .session)
            _ = try await server.send(.put, path, headers: malformed)
            try await fresh.call(.get, "/api/account/export")
            try await fresh.call(.delete, "/api/account")

            let text = server.log.text
            #expect(text.contains("security event"))
            #expect(text.contains("account_erased"))
            var secrets = phone.secrets.union(laptop.secrets).union(fresh.secrets).union(codes).union(newCodes)
            secrets.formUnion(names)
            secrets.formUnion((keys.passkeys + more.passkeys).map { Base64URL.encode($0.id.bytes) })
            secrets.formUnion([phone, laptop, fresh].compactMap(\.nonce))
            secrets.formUnion([phone, laptop, fresh].map(\.thumbprint.description))
            #expect(secrets.count > 40)
            for secret in secrets where text.contains(secret) { Issue.record("the log has \(secret)") }
            // Parts of secrets must not appear either.
            for token in [try phone.accessToken, try fresh.accessToken] {
                for part in token.split(separator: ".") where text.contains(part) { Issue.record("\(part)") }
            }
        }
    }

    /// openbao#1323: a value of a wrong type was in the error, and so in the log.
    @Test("a request with values of wrong types leaks none of them, neither into the answer nor into the log")
    func wrongTypes() async throws {
        let planted = "planted.c2VjcmV0IHZhbHVl"
        let members = ["credential", "name", "device", "code", "refresh_token", "token", "statement", planted]
        let values = [
            "[\"\(planted)\"]", "{\"\(planted)\":1}", "\"\(planted)", "1e9\(planted)", "\"\(planted)\\u00zz\"",
        ]
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            var refused = 0
            for endpoint in Endpoint.all where endpoint.body != .none {
                try await phone.refresh()
                let bodies =
                    endpoint.body == .form
                    ? members.flatMap { ["\($0)=%\(planted)", "\($0)=\(planted)&\($0)=\(planted)", planted] }
                    : members.flatMap { member in values.map { "{\"\(member)\":\($0)}" } } + [
                        planted, "[\"\(planted)\"]",
                    ]
                for body in bodies {
                    // Otherwise the limits refuse most of them before they are read.
                    server.clock.advance(.seconds(10))
                    let answer = try await phone.send(
                        endpoint.method, "\(endpoint.filledPath)?\(planted)=1", as: .session, type: endpoint.body.type,
                        body: Array(body.utf8))
                    #expect(!answer.text.contains(planted), "\(endpoint) with \(body)")
                    if answer.status == 400 { refused += 1 }
                }
            }
            #expect(refused > 100)
            #expect(!server.log.text.contains(planted.dropFirst(8)))
        }
    }

    @Test("an unchanged page is not sent again")
    func pages() async throws {
        try await TestServer.with { server in
            var tags: Set<String> = []
            for path in Endpoint.pages {
                let answer = try await server.send(.get, path)
                #expect(answer.status == 200)
                #expect(!answer.body.isEmpty)
                let tag = try #require(answer.headers[.eTag])
                #expect(tags.insert(tag).inserted)
                let again = try await server.send(.get, path, headers: [.ifNoneMatch: tag])
                #expect(again.status == 304)
                #expect(again.body.isEmpty)
                #expect(again.headers[.eTag] == tag)
                #expect(try await server.send(.get, path, headers: [.ifNoneMatch: "\"x\""]).status == 200)
                #expect(try await server.send(.head, path).body.isEmpty)
                #expect(!answer.text.contains("<script>"))
                #expect(!answer.text.contains("onclick="))
                #expect(!answer.text.contains("style=\""))
            }
        }
    }

    @Test("the server's services do not log its configuration, which may contain a password")
    func services() async throws {
        try await TestServer.with { server in
            #expect("\(server.server.maintenance)" == "maintenance")
            #expect("\(Reloading(server: server.server, signals: AsyncStream<Int> { $0.finish() }))" == "reloading")
        }
    }

    @Test("the metadata list this server's endpoints, and these exist")
    func metadata() async throws {
        try await TestServer.with { server in
            let json = try await server.send(.get, "/.well-known/oauth-authorization-server").json()
            #expect(json["issuer"]?.string == TestServer.origin)
            #expect(json["dpop_signing_alg_values_supported"] == ["ES256"])
            for member in ["jwks_uri", "token_endpoint", "revocation_endpoint", "introspection_endpoint"] {
                let address = try #require(json[member]?.string)
                #expect(address.hasPrefix(TestServer.origin + "/"))
                let known = Endpoint.all.map { TestServer.origin + $0.path }
                #expect(known.contains(address), "\(address)")
            }
            // The server is not an OpenID provider, and does not claim to be: there are no ID tokens.
            #expect(try await server.send(.get, "/.well-known/openid-configuration").status == 404)
            for member in ["subject_types_supported", "id_token_signing_alg_values_supported", "userinfo_endpoint"] {
                #expect(json[member] == nil)
            }
            let origins = try await server.send(.get, "/.well-known/webauthn").json()
            #expect(origins == ["origins": ["http://localhost:8420"]])
            let problems = try await server.send(.get, "/problems").text
            for code in ProblemCode.allCases { #expect(problems.contains("\(code.rawValue) (\(code.status))")) }
        }
    }
}
