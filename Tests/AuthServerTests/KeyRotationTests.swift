internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import HTTPTypes
internal import Secrets
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

private typealias JSON = Encoding.JSON

@Suite("The server's keys")
struct KeyRotationTests {
    @Test(
        "a key is published a day before it signs, and until what it signed has ended",
        arguments: StoreUnderTest.expected)
    func rotation(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let first = try await server.publishedKeys()
            #expect(first.count == 1)
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            #expect(try phone.keyOfAccessToken() == first[0])

            server.clock.advance(.milliseconds(29 * 86_400_000 - 1))
            try await server.maintain()
            #expect(try await server.publishedKeys() == first)
            server.clock.advance(.milliseconds(1))
            try await server.maintain()
            let both = try await server.publishedKeys()
            #expect(both.count == 2)
            let next = try #require(both.first { $0 != first[0] })
            try await phone.signIn(with: keys)
            #expect(try phone.keyOfAccessToken() == first[0], "it is not used yet")

            server.clock.advance(.days(1))
            let before = try await phone.signIn(with: keys)
            try await server.maintain()
            // Tokens signed by the old key are valid until they expire.
            #expect(try await phone.isSignedIn())
            try await phone.signIn(with: keys)
            #expect(try phone.keyOfAccessToken() == next)
            #expect(Set(try await server.publishedKeys()) == Set(both))

            // An hour later the key is gone, and its tokens are refused, whatever they claim.
            let retired = try #require(
                server.server.keys.current.verification.keys.first { $0.thumbprint.description == first[0] })
            server.clock.advance(.minutes(61))
            try await server.maintain()
            #expect(try await server.publishedKeys() == [next])
            #expect(server.server.keys.current.verification[retired.thumbprint] == nil)
            phone.tokens = before
            #expect(try await !phone.isSignedIn())
        }
    }

    @Test("a token signed by a retired key is refused, even if it has not expired")
    func retiredKey() async throws {
        try await TestServer.with { server in
            let (phone, keys) = (server.device(), server.authenticator())
            let answer = try #require(try await phone.signUp(with: keys).tokens)
            let signing = server.server.keys.current.signing
            server.clock.advance(.days(29))
            try await server.maintain()
            try await phone.signIn(with: keys)
            server.clock.advance(.days(1))
            try await server.maintain()
            let claims = try JSON(decoding: Base64URL.decode(String(phone.accessToken.split(separator: ".")[1])))
            let header: JSON = [
                "alg": "ES256", "typ": "at+jwt", "kid": .string(signing.publicKey.thumbprint.description),
            ]
            let lasting = try claims.setting("exp", to: JSON(server.clock.now.seconds + 800))
                .setting("iat", to: JSON(server.clock.now.seconds))
            let forge = { (claims: JSON) in
                let text = CompactJWS.sign(header: header, payload: claims.encoded, by: signing)
                let tokens = try #require(phone.tokens)
                phone.tokens = TokenResponse(
                    accessToken: text, expiresIn: 800, refreshToken: tokens.refreshToken,
                    sessionExpires: tokens.sessionExpires, account: answer.account, session: tokens.session,
                    device: tokens.device, scope: tokens.scope)
            }
            try forge(lasting)
            #expect(try await phone.isSignedIn(), "the key has an hour more")
            server.clock.advance(.minutes(60))
            try await server.maintain()
            try forge(
                lasting.setting("exp", to: JSON(server.clock.now.seconds + 800))
                    .setting("iat", to: JSON(server.clock.now.seconds)))
            #expect(try await !phone.isSignedIn())
        }
    }

    @Test("refresh tokens outlive the key that tagged them", arguments: StoreUnderTest.expected)
    func refreshTags(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            for _ in 0..<29 {
                server.clock.advance(.days(1))
                try await server.maintain()
            }
            try await phone.signUp(with: keys)
            // The session lasts thirty days: the tag key changes after one day.
            for _ in 0..<29 {
                server.clock.advance(.days(1))
                try await server.maintain()
                try await phone.refresh()
            }
            // A token that is not used while its tag key is replaced, on the sixtieth day.
            let idle = server.device()
            try await idle.signIn(with: keys)
            let before = server.server.keys.current.tags.current
            for _ in 0..<6 {
                server.clock.advance(.days(1))
                try await server.maintain()
            }
            #expect(server.server.keys.current.tags.current != before)
            try await idle.refresh()
            #expect(try await server.events()["refresh_token_reused"] == nil)
        }
    }

    @Test("replicas that make keys at the same time make one set", arguments: StoreUnderTest.expected)
    func replicas(_ store: StoreUnderTest) async throws {
        try await store.withEmpty(openedTimes: 4) { databases in
            let configuration = try TestServer.configuration()
            let clock = ManualClock(now)
            let published = try await withThrowingTaskGroup(of: (AuthServer, [UInt8]).self) { group in
                for (number, database) in databases.enumerated() {
                    group.addTask {
                        let server = try await AuthServer(
                            configuration, sealer: sealer, database: database, clock: { clock.now },
                            random: SeededRandom(seed: UInt64(number)),
                            logger: RecordingLog().logger)
                        return (server, server.keys.current.verification.document)
                    }
                }
                return try await group.reduce(into: [(AuthServer, [UInt8])]()) { $0.append($1) }
            }
            #expect(Set(published.map(\.1)).count == 1)
            let count = { try await databases[0].read { try $0.run("SELECT key_id FROM server_keys", []).count } }
            #expect(try await count() == 6)

            clock.advance(.days(29))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (server, _) in published { group.addTask { try await server.maintenance.maintain(part: 0) } }
                try await group.waitForAll()
            }
            // The two keys of logs stay.
            #expect(try await count() == 10)
            #expect(Set(published.map { $0.0.keys.current.verification.document }).count == 1)
        }
    }

    @Test("while replicas change keys one after another, a client that alternates between them is never refused")
    func nonces() async throws {
        try await TestServer.withReplicas(2) { servers in
            let (phone, keys) = (servers[0].device(), servers[0].authenticator())
            servers[0].clock.advance(.days(29))
            for server in servers { try await server.maintain() }
            servers[0].clock.advance(.days(1))
            // The first replica has changed, the other not yet.
            try await servers[0].maintain()
            try await phone.signUp(with: keys)
            for number in 0..<6 {
                let other = phone.asking(servers[number % 2])
                let answer = try await other.sendOnce(.get, "/api/auth/session", as: .session)
                #expect(answer.status == 200, "\(number)")
                phone.nonce = other.nonce
            }
            let turned = phone.asking(servers[1])
            try await turned.refresh()
            let challenge = try await turned.signInOptions()
            let back = turned.asking(servers[0])
            try await back.authenticate(keys.authenticate(challenge))
        }
    }

    @Test("a wrong master key is reported at the start", arguments: StoreUnderTest.expected)
    func otherMasterKey(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database in
            let configuration = try TestServer.configuration()
            let start = { (sealer: ColumnSealer) async throws in
                _ = try await AuthServer(
                    configuration, sealer: sealer, database: database, clock: { now }, random: SystemRandom(),
                    logger: RecordingLog().logger)
            }
            try await start(sealer)
            try await start(sealer)
            let dump = { try await database.read { try $0.run("SELECT * FROM server_keys ORDER BY key_id", []) } }
            let before = try await dump()
            // The same number with another key, and another number.
            for number: UInt32 in [1, 2] {
                let other = ColumnSealer(key: sealingKey(8), number: number, random: SystemRandom())
                await #expect(throws: StartupError.otherMasterKey) { try await start(other) }
            }
            #expect(try await dump() == before)
        }
    }

    @Test("a server with a wrong master key adds no keys, even if they are due", arguments: StoreUnderTest.expected)
    func otherMasterKeyWhenDue(_ store: StoreUnderTest) async throws {
        try await store.with(AuthTables.migrations) { database in
            let configuration = try TestServer.configuration()
            let start = { (sealer: ColumnSealer, time: Timestamp) async throws in
                _ = try await AuthServer(
                    configuration, sealer: sealer, database: database, clock: { time }, random: SystemRandom(),
                    logger: RecordingLog().logger)
            }
            try await start(sealer, now)
            let dump = { try await database.read { try $0.run("SELECT * FROM server_keys ORDER BY key_id", []) } }
            let before = try await dump()
            let later = now.adding(.days(40))
            let other = ColumnSealer(key: sealingKey(8), number: 1, random: SystemRandom())
            await #expect(throws: StartupError.otherMasterKey) { try await start(other, later) }
            #expect(try await dump() == before)
            try await start(sealer, later)
        }
    }

    @Test("a replica whose clock is behind uses the same first keys")
    func clockBehind() async throws {
        try await StoreUnderTest.sqlite.withEmpty(openedTimes: 2) { databases in
            let configuration = try TestServer.configuration()
            var documents: [[UInt8]] = []
            for (database, time) in zip(databases, [now, now.plus(-2_000)]) {
                let server = try await AuthServer(
                    configuration, sealer: sealer, database: database, clock: { time }, random: SystemRandom(),
                    logger: RecordingLog().logger)
                documents.append(server.keys.current.verification.document)
            }
            #expect(documents[0] == documents[1])
        }
    }

    @Test("a replica without its store answers 503, and nothing is lost", arguments: StoreUnderTest.expected)
    func unavailable(_ store: StoreUnderTest) async throws {
        try await TestServer.withReplicas(2, store) { servers in
            let (phone, keys) = (servers[0].device(), servers[0].authenticator())
            try await phone.signUp(with: keys)
            let broken = phone.asking(servers[1])
            let signed = try keys.authenticate(await broken.signInOptions())
            await servers[1].database.close()
            let before = try await TableDump.all(in: servers[0])
            await #expect(throws: Problem(.unavailable, retryAfter: 1)) { try await broken.refresh() }
            await #expect(throws: Problem(.unavailable, retryAfter: 1)) { try await broken.authenticate(signed) }
            await #expect(throws: Problem(.unavailable, retryAfter: 1)) {
                try await broken.call(.get, "/api/auth/session")
            }
            await #expect(throws: Problem(.unavailable, retryAfter: 1)) {
                try await broken.call(.post, "/api/auth/logout")
            }
            #expect(try await servers[1].send(.get, "/readyz").problem == Problem(.unavailable))
            #expect(try await servers[1].send(.get, "/healthz").status == 200)
            #expect(try await TableDump.all(in: servers[0]) == before)
            // The other replica accepts the same token, and gives the same answer.
            let next = broken.asking(servers[0])
            try await next.refresh()
            try await next.authenticate(signed)
        }
    }
}

extension TestServer {
    /// The ids of the keys in the published key set.
    fileprivate func publishedKeys() async throws -> [String] {
        let answer = try await send(.get, "/.well-known/jwks.json")
        #expect(answer.headers[.contentType] == "application/jwk-set+json")
        return try #require(answer.json()["keys"]?.array).map { key in
            #expect(key["d"] == nil)
            return try #require(key["kid"]?.string)
        }
    }
}

extension Device {
    fileprivate func keyOfAccessToken() throws -> String {
        let header = try JSON(decoding: Base64URL.decode(String(accessToken.split(separator: ".")[0])))
        return try #require(header["kid"]?.string)
    }
}
