internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import Hummingbird
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// Invalid input at every endpoint: each gives the right problem, and changes nothing.
@Suite("Every endpoint")
struct EndpointTests {
    @Test("every endpoint is in the list of these tests and in openapi.json, with its method")
    func listIsComplete() async throws {
        try await TestServer.with { server in
            let router = Router(context: ServerContext.self)
            server.server.routing.addRoutes(to: router)
            let routes = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
            let listed = Set(Endpoint.all.map { "\($0.method.rawValue) \($0.path)" })
            #expect(routes == listed.union(Endpoint.pages.map { "GET \($0)" }))

            let document = try JSON(decoding: PackageResources.openapi_json, limit: 1 << 20)
            let methods: Set = ["get", "post", "put", "patch", "delete", "head", "options", "trace"]
            let documented = (document["paths"]?.object?.members ?? []).flatMap { path in
                (path.value.object?.names ?? []).filter(methods.contains).map { "\($0.uppercased()) \(path.name)" }
            }
            #expect(Set(documented) == listed)
            let codes = document["components"]?["schemas"]?["Problem"]?["properties"]?["code"]?["enum"]?.array
            #expect(Set((codes ?? []).compactMap(\.string)) == Set(ProblemCode.allCases.map(\.rawValue)))
        }
    }

    @Test("every endpoint refuses other methods with 405, and lists its own")
    func methods() async throws {
        try await TestServer.with { server in
            let before = try await TableDump.all(in: server)
            let all: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]
            let paths = Dictionary(grouping: Endpoint.all, by: \.path).mapValues { $0.map(\.method) }
                .merging(Endpoint.pages.map { ($0, [.get]) }) { $1 }
            for (path, methods) in paths {
                let taken = methods + (methods.contains(.get) ? [.head] : [])
                let filled = path.replacing("{id}", with: "AAAAAAAAAAAAAAAAAAAAAA")
                for method in all where !taken.contains(method) {
                    let answer = try await server.send(method, filled)
                    #expect(answer.status == 405, "\(method) \(path)")
                    let allowed = answer.headers[.allow]?.split(separator: ", ").map(String.init) ?? []
                    #expect(Set(allowed) == Set(taken.map(\.rawValue)))
                    if method != .head { #expect(answer.problem == Problem(.methodNotAllowed)) }
                }
            }
            for path in ["/nothing", "/api", "/api/auth", "/api/auth/devices/x/y", "/assets/", "/assets/none.js"] {
                #expect(try await server.send(.get, path).problem == Problem(.notFound), "\(path)")
            }
            #expect(try await TableDump.all(in: server) == before)
        }
    }

    @Test(
        "that takes a body refuses one that is malformed, too large, or of another type", arguments: Endpoint.withBody)
    func bodies(_ endpoint: Endpoint) async throws {
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let before = try await TableDump.lasting(in: server)
            let send = { (type: String?, body: [UInt8]) async throws -> Problem? in
                try await endpoint.send(by: phone, type: type, body: body).problem
            }
            for type in [nil, "text/plain", "application/jsonp", "application/problem+json", "multipart/form-data", ""]
            {
                #expect(try await send(type, Array("{}".utf8)) == Problem(.unsupportedMediaType), "\(type ?? "none")")
            }
            let type = try #require(endpoint.body.type)
            let other = endpoint.body == .json ? "application/x-www-form-urlencoded" : "application/json"
            #expect(try await send(other, Array("{}".utf8)) == Problem(.unsupportedMediaType))
            let large = [UInt8](repeating: UInt8(ascii: " "), count: AuthLimits.bodyBytes + 1)
            #expect(try await send(type, large) == Problem(.tooLarge))
            let malformed: [String] =
                endpoint.body == .json
                ? [
                    "", " ", "{", "[", "null", "[]", "1", "\"x\"", "{}x", "{\"name\":\"a\",\"name\":\"b\"}",
                    "{\"purpose\":\"sign_in\",\"purpose\":\"sign_in\"}", "{\"name\":1}", "{'name':'a'}",
                    "{\"name\":\"\\ud800\"}",
                    "{\"name\":\"\"}", "{\"name\":\"\\u0000\"}", "{\"name\":\"\(String(repeating: "a", count: 65))\"}",
                    String(repeating: "[", count: 1000), "{}",
                ] : ["", "token", "a=1&a=2", "token=%", "token=%g0", "refresh_token=x", "=", "&&&"]
            for text in malformed
            where !(endpoint.path.hasSuffix("/revoke") || endpoint.path.hasSuffix("/introspect")) || text != "token" {
                #expect(try await send(type, Array(text.utf8)) == Problem(.malformedRequest), "\(text)")
            }
            // Not UTF-8.
            #expect(try await send(type, [0x7b, 0xff, 0x7d]) == Problem(.malformedRequest))
            #expect(try await TableDump.lasting(in: server) == before)
        }
    }

    @Test("every endpoint that requires a proof refuses a missing or wrong one", arguments: Endpoint.withProof)
    func proofs(_ endpoint: Endpoint) async throws {
        try await TestServer.with { server in
            let (phone, thief) = (server.device(), server.device())
            try await phone.signUp(with: server.authenticator())
            thief.tokens = phone.tokens
            thief.nonce = phone.nonce
            let before = try await TableDump.all(in: server)
            let (method, path) = (endpoint.method, endpoint.filledPath)
            let token = endpoint.credential == .session ? try phone.accessToken : nil
            // A refresh token that this server did not make is refused before the proof's signature.
            let refreshToken = try phone.refreshToken
            let refresh: [UInt8]? =
                switch path {
                case "/api/auth/token/validate": TokenValidation(refreshToken: refreshToken).json.encoded
                case "/api/auth/token": Array("grant_type=refresh_token&refresh_token=\(refreshToken)".utf8)
                default: nil
                }
            let send = { (proofs: [String]) async throws -> Problem? in
                try await endpoint.send(by: phone, proofs: proofs, body: refresh).problem
            }
            let good = { try phone.proof(method, path, token: token) }
            let refused = Problem(.invalidDPoPProof, status: endpoint.proofStatus)
            // RFC 9449 section 4.3
            #expect(try await send([]) == refused)
            #expect(try await send([good(), good()]) == refused)
            #expect(try await send(["\(good()), \(good())"]) == refused)
            #expect(try await send([""]) == refused)
            #expect(try await send(["a.b.c"]) == refused)
            let wrongMethod: HTTPRequest.Method = method == .get ? .post : .get
            #expect(try await send([phone.proof(wrongMethod, path, token: token)]) == refused)
            #expect(try await send([phone.proof(method, path + "/x", token: token)]) == refused)
            #expect(
                try await send([phone.proof(method, path, token: token, url: "https://localhost:8420\(path)")])
                    == refused)
            #expect(
                try await send([phone.proof(method, path, token: token, url: "http://evil.example\(path)")]) == refused)
            let proof = try good()
            #expect(try await send([String(proof.dropLast(4)) + "AAAA"]) == refused)
            // Another device's key; a missing hash of the token, or another token's.
            if let token {
                #expect(try await send([thief.proof(method, path, token: token)]) == refused)
                #expect(try await send([phone.proof(method, path)]) == refused)
                #expect(try await send([phone.proof(method, path, token: token + "x")]) == refused)
            }
            // Section 8: no nonce, another server's, one that is too old.
            let wantsNonce = Problem(.useDPoPNonce, status: endpoint.proofStatus)
            #expect(try await send([phone.proof(method, path, token: token, nonce: .some(nil))]) == wantsNonce)
            #expect(try await send([phone.proof(method, path, token: token, nonce: "AAAA")]) == wantsNonce)
            let other = try #require(phone.nonce)
            let forged = String(other.dropLast()) + (other.hasSuffix("A") ? "E" : "A")
            #expect(try await send([phone.proof(method, path, token: token, nonce: forged)]) == wantsNonce)
            #expect(try await TableDump.all(in: server) == before, "not even limits")
            let old = phone.nonce
            server.clock.advance(.minutes(4))
            #expect(try await send([phone.proof(method, path, token: token, nonce: old)]) == wantsNonce)
        }
    }

    @Test("every endpoint refuses a proof that was used before", arguments: Endpoint.withProof)
    func replay(_ endpoint: Endpoint) async throws {
        try await TestServer.with { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            let (method, path) = (endpoint.method, endpoint.filledPath)
            let token = endpoint.credential == .session ? try phone.accessToken : nil
            let proof = try phone.proof(method, path, token: token)
            let body: [UInt8]? =
                switch path {
                case "/api/auth/passkey/register/options":
                    RegistrationOptionsRequest(purpose: .signUp, accountName: "A").json.encoded
                case "/api/auth/passkey/register":
                    CredentialRequest(
                        credential: try server.authenticator().register(await phone.signUpOptions()), accountName: "A"
                    ).json.encoded
                case "/api/auth/passkey/authenticate/options":
                    AuthenticationOptionsRequest(purpose: .signIn).json.encoded
                case "/api/auth/passkey/authenticate":
                    CredentialRequest(credential: try keys.authenticate(await phone.signInOptions())).json.encoded
                case "/api/auth/token/validate": TokenValidation(refreshToken: try phone.refreshToken).json.encoded
                case "/api/auth/token":
                    Array("grant_type=refresh_token&refresh_token=\(try phone.refreshToken)".utf8)
                case "/api/auth/recovery/options": RecoveryRequest(code: "no code").json.encoded
                default: endpoint.body == .none ? nil : Array("{}".utf8)
                }
            // The state as if a request with this proof had just come.
            let nonces = server.server.keys.current.nonces
            let presentation: DPoPProof.Presentation =
                try token.map {
                    .accessToken(try server.server.keys.verifier(issuer: TestServer.origin).verify($0, now: now))
                } ?? .alone
            let verified = try DPoPProof.verify(
                proof, method: method.rawValue, url: try ProofURL(TestServer.origin + path),
                presentedWith: presentation,
                timeliness: .nonce(nonces), now: now)
            _ = try await server.database.write {
                try ReplayCache.spend(verified.replayValue, until: verified.keepUntil, in: $0)
            }
            let before = try await TableDump.lasting(in: server)
            let answer = try await endpoint.send(by: phone, proofs: [proof], body: body)
            #expect(answer.problem == Problem(.invalidDPoPProof, status: endpoint.proofStatus))
            #expect(try await TableDump.lasting(in: server) == before)
        }
    }

    @Test("an endpoint of a session refuses every token but its access tokens", arguments: Endpoint.withSession)
    func tokens(_ endpoint: Endpoint) async throws {
        try await TestServer.with { server in
            let phone = server.device()
            let tokens = try #require(try await phone.signUp(with: server.authenticator()).tokens)
            let before = try await TableDump.all(in: server)
            let good = tokens.accessToken
            for token in try forgeries(of: good, at: server) {
                #expect(try await endpoint.send(by: phone, token: token).problem == Problem(.invalidToken), "\(token)")
            }
            // A token is not accepted as a bearer token.
            for authorization in [
                nil, "Bearer \(good)", "DPoP", "DPoP  \(good)", "DPoP \(good) x", "DPoP,\(good)", good,
            ] {
                var headers: HTTPFields = [.dpop: try phone.proof(endpoint.method, endpoint.filledPath, token: good)]
                headers[.authorization] = authorization
                let answer = try await server.send(endpoint.method, endpoint.filledPath, headers: headers)
                #expect(answer.problem == Problem(.invalidToken), "\(authorization ?? "none")")
                #expect(answer.headers[.wwwAuthenticate] == "DPoP error=\"invalid_token\", algs=\"ES256\"")
            }
            #expect(try await TableDump.all(in: server) == before, "not even limits")
            server.clock.advance(.minutes(15))
            #expect(try await endpoint.send(by: phone, token: good).problem == Problem(.invalidToken))
        }
    }

    /// Tokens with the claims of a valid one that are invalid.
    private func forgeries(of good: String, at server: TestServer) throws -> [String] {
        let parts = good.split(separator: ".").map(String.init)
        let header = try JSON(decoding: try Base64URL.decode(parts[0]))
        let claims = try JSON(decoding: try Base64URL.decode(parts[1]))
        let current = server.server.keys.current.signing
        let stranger = SigningKey(from: server.random())
        let signed = { (header: JSON, claims: JSON, key: SigningKey) in
            CompactJWS.sign(header: header, payload: claims.encoded, by: key)
        }
        let unsigned = { (header: JSON) in
            Base64URL.encode(header.encoded) + "." + parts[1] + "."
        }
        // RFC 8725 section 2.1: the public key as the secret of an HMAC.
        let confused = try header.setting("alg", to: "HS256")
        let input = Base64URL.encode(confused.encoded) + "." + parts[1]
        let document = server.server.keys.current.verification.document
        let code = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: SymmetricKey(data: document))
        return [
            "", "x", parts[0] + "." + parts[1], good + ".",
            parts[0] + "." + parts[1] + "." + String(repeating: "A", count: 86),
            unsigned(try header.setting("alg", to: "none")), unsigned(try header.setting("alg", to: "None")),
            input + "." + Base64URL.encode(Array(code)),
            signed(try header.setting("kid", to: .string(stranger.publicKey.thumbprint.description)), claims, stranger),
            signed(header, claims, stranger),
            signed(try header.setting("jwk", to: stranger.publicKey.json), claims, stranger),
            signed(try header.setting("typ", to: "JWT"), claims, current),
            signed(try header.setting("typ", to: "dpop+jwt"), claims, current),
            signed(header, try claims.setting("iss", to: "https://evil.example"), current),
            signed(header, try claims.setting("aud", to: "https://evil.example"), current),
            signed(header, try claims.setting("exp", to: JSON(server.clock.now.seconds)), current),
            signed(header, try claims.setting("exp", to: nil), current),
            signed(header, try claims.setting("cnf", to: nil), current),
            signed(header, try claims.setting("sid", to: nil), current),
        ]
    }

    @Test("every endpoint has one path: no empty segments, dots or needless encoding", arguments: Endpoint.all)
    func otherPaths(_ endpoint: Endpoint) async throws {
        try await TestServer.with { server in
            let path = endpoint.filledPath
            let last = try #require(path.last)
            let encoded = "%" + String(try #require(last.asciiValue), radix: 16)
            let first = path.dropFirst().prefix { $0 != "/" }
            for other in [
                "/" + path, path + "/", path + "//", "/." + path, path + "/.", path + "/..", "/x/.." + path,
                path.dropLast() + encoded, "/" + first + "%2f" + path.dropFirst(first.count + 2), path + "%2F",
                path + "%00",
            ] {
                let answer = try await server.send(endpoint.method, String(other))
                #expect(answer.problem == Problem(.notFound), "\(other)")
            }
        }
    }

    @Test("OAuth endpoints name errors as OAuth does, beside the code", arguments: ["", "/revoke", "/introspect"])
    func namesOfOAuth(ending: String) async throws {
        try await TestServer.with { server in
            let path = "/api/auth/token\(ending)"
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let send = { (type: String, body: String) in
                var headers: HTTPFields = [.contentType: type]
                let credentials = Array("api:\(TestServer.introspectionSecret)".utf8)
                if ending == "/introspect" { headers[.authorization] = "Basic \(Base64.encode(credentials))" }
                if ending.isEmpty { headers[.dpop] = try phone.proof(.post, path) }
                return try await server.send(.post, path, headers: headers, body: Array(body.utf8))
            }
            let form = "application/x-www-form-urlencoded"
            let long = String(repeating: "x", count: AuthLimits.bodyBytes + 1)
            for (type, body, code) in [
                (form, "", "malformed_request"), (form, "a=%zz", "malformed_request"),
                (form, "a=1&a=2", "malformed_request"),
                ("application/json", "{}", "unsupported_media_type"), (form, long, "too_large"),
            ] {
                let answer = try await send(type, body)
                let json = try JSON(decoding: answer.body)
                #expect(json["error"] == "invalid_request" && json["code"]?.string == code, "\(body.prefix(20))")
            }
            guard ending.isEmpty else { return }
            for (body, error) in [
                ("grant_type=password", "unsupported_grant_type"),
                ("grant_type=refresh_token&refresh_token=none", "invalid_grant"),
            ] {
                #expect(try JSON(decoding: try await send(form, body).body)["error"]?.string == error)
            }
        }
    }

    @Test(
        "that ends a session has the browser forget what was shown, and one that erases the account all that it keeps")
    func clearSiteData() async throws {
        try await TestServer.with { server in
            let (phone, other) = (server.device(), server.device())
            let keys = server.authenticator()
            try await phone.signUp(with: keys)
            let out = try await phone.send(.post, "/api/auth/logout", as: .session)
            #expect(out.status == 204 && out.headers[.clearSiteData] == "\"cache\"")
            try await other.signUp(with: server.authenticator())
            let erased = try await other.send(.delete, "/api/account", as: .session)
            #expect(erased.status == 200 && erased.headers[.clearSiteData] == "\"cache\", \"storage\"")
            let refused = try await other.send(.delete, "/api/account", as: .session)
            #expect(refused.status == 401 && refused.headers[.clearSiteData] == nil)
        }
    }

    @Test("every endpoint answers errors with a problem and the usual headers")
    func headers() async throws {
        for isSecure in [false, true] {
            try await TestServer.with(changing: { configuration in
                if isSecure { configuration.publicURL = try #require(PublicURL("https://auth.example.com")) }
            }) { server in
                let all = Endpoint.all.map { ($0.method, $0.filledPath) } + Endpoint.pages.map { (.get, $0) }
                for (method, path) in all + [(.get, "/nothing"), (.put, "/healthz")] {
                    let answer = try await server.send(method, path)
                    let headers = answer.headers
                    #expect(headers[.xContentTypeOptions] == "nosniff", "\(path)")
                    #expect(headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                    #expect(headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
                    #expect(headers[.contentSecurityPolicy]?.contains("unsafe") == false)
                    #expect(
                        headers[.strictTransportSecurity] == (isSecure ? "max-age=63072000; includeSubDomains" : nil))
                    #expect(headers[.referrerPolicy] == "no-referrer")
                    #expect(headers[.cacheControl] != nil)
                    #expect(headers[.server] == nil)
                    if answer.status >= 400 {
                        #expect(answer.problem != nil, "\(method) \(path)")
                        #expect(headers[.cacheControl] == "no-store")
                        #expect(!answer.text.contains("detail"))
                    }
                    if path.hasPrefix("/api/") { #expect(headers[.dpopNonce] != nil, "\(path)") }
                }
            }
        }
    }
}

extension Endpoint {
    /// Sends a request with valid credentials, except for the given parts.
    fileprivate func send(
        by device: Device, proofs: [String]? = nil, token: String? = nil, type: String? = nil, body: [UInt8]? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if access == .client {
            let credentials = Array("api:\(TestServer.introspectionSecret)".utf8)
            headers[.authorization] = "Basic \(Base64.encode(credentials))"
        }
        var accessToken: String?
        if credential == .session {
            let text = try token ?? device.accessToken
            headers[.authorization] = "DPoP \(text)"
            accessToken = text
        }
        if Self.withProof.contains(where: { $0.path == path }) {
            headers[values: .dpop] = try proofs ?? [device.proof(method, filledPath, token: accessToken)]
        }
        headers[.contentType] = type ?? (body != nil && proofs != nil ? self.body.type : nil)
        return try await device.server.send(method, filledPath, headers: headers, body: body)
    }
}
