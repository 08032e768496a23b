internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time
internal import Tokens

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// The limits of wrong signatures.
@Suite("Wrong signatures")
struct ProofMeterTests {
    private static let burst = Limits.failedProofsOfAddress.burst

    private static func withProxy(_ configuration: inout ServerConfiguration) {
        configuration.transport = .behindProxy(addresses: [TestServer.peer])
    }

    @Test("after too many wrong signatures from an address, proofs are refused unverified, without use of the store")
    func address() async throws {
        try await TestServer.with(changing: Self.withProxy) { server in
            let (owner, keys) = (server.device(at: "203.0.113.7"), server.authenticator())
            try await owner.signUp(with: keys)
            let before = try await TableDump.all(in: server)
            for _ in 0..<Self.burst {
                #expect(try await server.knockWrongly(at: "203.0.113.7") == Problem(.invalidDPoPProof, status: 400))
            }
            let tooMany = Problem(.rateLimited, retryAfter: 1)
            #expect(try await server.knockWrongly(at: "203.0.113.7") == tooMany)
            #expect(try await TableDump.all(in: server) == before)
            // Even a right signature of an unknown device is not verified.
            await #expect(throws: tooMany) { try await server.device(at: "203.0.113.7").signInOptions() }
            // Requests that need no verification are answered as before: a client without a nonce gets one.
            let fresh = server.device(at: "203.0.113.7")
            let answer = try await fresh.sendOnce(
                .post, "/api/auth/passkey/authenticate/options", as: .proof, type: "application/json",
                body: Array("{}".utf8))
            #expect(answer.problem == Problem(.useDPoPNonce, status: 400))
            #expect(answer.headers[.dpopNonce] != nil)
            // A known device at the same address is not affected.
            #expect(try await owner.isSignedIn())
            try await owner.refresh()
            try await owner.signIn(with: keys)
            #expect(try await owner.isSignedIn())
            // Another address is not affected.
            _ = try await server.device(at: "203.0.112.7").signInOptions()
            // After a while the address is accepted again.
            server.clock.advance(.seconds(60))
            for _ in 0..<10 { _ = try await server.device(at: "203.0.113.7").signInOptions() }
        }
    }

    @Test("a right signature is not counted")
    func success() async throws {
        try await TestServer.with(changing: Self.withProxy) { server in
            for _ in 0..<(Self.burst + 20) {
                let device = server.device(at: "203.0.113.7")
                device.nonce = server.nonce
                _ = try await device.signInOptions()
            }
        }
    }

    @Test("after a restart a session continues although its address is refused: its refresh token's tag is recognised")
    func restart() async throws {
        try await TestServer.withReplicas(2, changing: Self.withProxy) { servers in
            let owner = servers[0].device(at: "203.0.113.7")
            try await owner.signUp(with: servers[0].authenticator())
            for _ in 0..<Self.burst { _ = try await servers[1].knockWrongly(at: "203.0.113.7") }
            // Another replica has seen neither the device nor its access token.
            let there = owner.asking(servers[1])
            there.address = owner.address
            await #expect(throws: Problem(.rateLimited, retryAfter: 1)) { try await there.isSignedIn() }
            try await there.refresh()
            #expect(try await there.isSignedIn())
        }
    }

    @Test("wrong signatures of a known device are counted for that device at that address only")
    func knownDevice() async throws {
        try await TestServer.with(changing: Self.withProxy) { server in
            let owner = server.device(at: "203.0.113.7")
            try await owner.signUp(with: server.authenticator())
            let path = "/api/auth/session"
            let spoil = { () async throws -> Problem? in
                owner.nonce = server.nonce
                var headers = try owner.headers(.get, path, as: .session)
                let proof = try #require(headers[.dpop])
                headers[.dpop] = String(proof.dropLast(8)) + "AAAAAAAA"
                headers[.xForwardedFor] = owner.address
                return try await server.send(.get, path, headers: headers).problem
            }
            for _ in 0..<Limits.failedProofsOfDevice.burst {
                #expect(try await spoil() == Problem(.invalidDPoPProof, status: 401))
            }
            #expect(try await spoil() == Problem(.rateLimited, retryAfter: 2))
            await #expect(throws: Problem(.rateLimited, retryAfter: 2)) { try await owner.isSignedIn() }
            _ = try await server.device(at: "203.0.113.7").signInOptions()
            owner.address = "203.0.113.8"
            #expect(try await owner.isSignedIn())
        }
    }

    @Test("wrong signatures of access tokens count like those of proofs, and so does a repeated proof")
    func accessTokens() async throws {
        try await TestServer.with(changing: Self.withProxy) { server in
            let owner = server.device(at: "203.0.113.7")
            try await owner.signUp(with: server.authenticator())
            let good = try owner.accessToken
            let path = "/api/auth/session"
            let burst = Limits.failedProofsOfDevice.burst
            let forged = String(good.dropLast(8)) + "AAAAAAAA"
            let send = { (token: String, proof: String) async throws -> Problem? in
                let headers: HTTPFields = [
                    .dpop: proof, .authorization: "DPoP \(token)", .xForwardedFor: "203.0.113.7",
                ]
                return try await server.send(.get, path, headers: headers).problem
            }
            owner.nonce = server.nonce
            for _ in 0..<(burst / 2) {
                let proof = try owner.proof(.get, path, token: forged)
                #expect(try await send(forged, proof) == Problem(.invalidToken))
            }
            let proof = try owner.proof(.get, path, token: good)
            #expect(try await send(good, proof) == nil)
            for _ in 0..<(burst - burst / 2) {
                #expect(try await send(good, proof) == Problem(.invalidDPoPProof, status: 401))
            }
            #expect(try await send(good, proof)?.code == .rateLimited)
        }
    }

    @Test("the networks of one IPv6 customer share a limit")
    func networks() async throws {
        try await TestServer.with(changing: Self.withProxy) { server in
            let limit = Limits.failedProofsOfNetwork.burst
            var verified = 0
            for number in 0..<(limit + 50) {
                let answer = try await server.knockWrongly(at: "2001:db8:1:\(String(number, radix: 16))::1")
                if answer?.code == .invalidDPoPProof { verified += 1 }
            }
            #expect(verified == limit)
            #expect(try await server.knockWrongly(at: "2001:db8:2::1")?.code == .invalidDPoPProof)
        }
    }

    @Test("an invented refresh token is refused before a signature is verified")
    func madeUp() async throws {
        try await TestServer.with { server in
            let path = "/api/auth/token/validate"
            let device = server.device()
            device.nonce = server.nonce
            let proof = String(try device.proof(.post, path).dropLast(8)) + "AAAAAAAA"
            let headers: HTTPFields = [.dpop: proof, .contentType: "application/json"]
            let body = TokenValidation(refreshToken: String(repeating: "A", count: 94)).json.encoded
            let answer = try await server.send(.post, path, headers: headers, body: body)
            #expect(answer.problem == Problem(.invalidGrant))
        }
    }

    // MARK: Its parts

    @Test("a bucket in memory allows as much as one in the store")
    func sameAsStore() async throws {
        try await StoreUnderTest.sqlite.with(AuthTables.migrations) { database in
            let random = SeededRandom(seed: 7)
            let rate = TokenBucket.Rate(burst: 5, every: .seconds(3))
            let buckets = MemoryBuckets<Int>(capacity: 4)
            var time = now
            for step in 0..<400 {
                // Sometimes the clock is turned back.
                time = time.plus(Int64(random.below(4_000)) - 500)
                let moment = time
                let inStore = try await database.write {
                    try RateLimits.take(from: bytes(1), rate, at: moment, in: $0)
                }
                let wait = buckets.take(from: [.init(subject: 1, rate: rate)], at: moment)
                switch inStore {
                case .granted: #expect(wait == nil, "step \(step)")
                case .refused(let expected): #expect(wait == expected, "step \(step)")
                }
            }
        }
    }

    @Test("an empty bucket takes nothing from the others")
    func several() {
        let buckets = MemoryBuckets<String>(capacity: 10)
        let rate = { (burst: Int64) in TokenBucket.Rate(burst: burst, every: .seconds(60)) }
        let both: [MemoryBuckets<String>.Limited] = [
            .init(subject: "wide", rate: rate(3)), .init(subject: "narrow", rate: rate(1)),
        ]
        #expect(buckets.take(from: both, at: now) == nil)
        for _ in 0..<5 { #expect(buckets.take(from: both, at: now) == .seconds(60)) }
        for _ in 0..<2 { #expect(buckets.take(from: [both[0]], at: now) == nil) }
        #expect(buckets.take(from: [both[0]], at: now) == .seconds(60))
        #expect(buckets.wait(for: both, at: now.plus(59_999)) == Timestamp.Span(milliseconds: 1))
        #expect(buckets.wait(for: both, at: now.plus(60_000)) == nil)
    }

    @Test("a full table keeps the keys in use, and drops those of a flood that are used once")
    func table() {
        var table = BoundedTable<Int, String>(capacity: 8)
        for key in 0..<4 { table.set("kept \(key)", for: key) }
        for key in 100..<1_100 {
            for kept in 0..<4 { #expect(table.value(of: kept) == "kept \(kept)") }
            table.set("flood", for: key)
            #expect(table.count <= 8)
        }
        for kept in 0..<4 { #expect(table.value(of: kept) == "kept \(kept)") }
        #expect(table.count == 8)
        table.set("changed", for: 1)
        #expect(table.value(of: 1) == "changed")
        #expect(table.count == 8)
        // All entries are in use: the search for one to replace still ends.
        for key in 2_000..<2_100 {
            table.set("new", for: key)
            #expect(table.value(of: key) == "new")
        }
        #expect(table.count == 8)
    }
}

extension TestServer {
    /// Makes a new device whose requests come through a proxy, from this address.
    func device(at address: String) -> Device {
        let device = device()
        device.address = address
        return device
    }

    /// Sends a proof that is valid except for its signature, by an unknown key.
    fileprivate func knockWrongly(at address: String) async throws -> Problem? {
        let path = "/api/auth/passkey/authenticate/options"
        let device = device()
        device.nonce = nonce
        let proof = String(try device.proof(.post, path).dropLast(8)) + "AAAAAAAA"
        let headers: HTTPFields = [.dpop: proof, .contentType: "application/json", .xForwardedFor: address]
        return try await send(.post, path, headers: headers, body: Array("{\"purpose\":\"sign_in\"}".utf8)).problem
    }
}
