internal import AuthAPI
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthStore
@testable internal import SQLStore

@Suite("Concurrent use of the store")
struct ConcurrencyTests {
    /// Returns how many of the tasks returned true.
    private static func count(_ tasks: Int, _ body: @escaping @Sendable (Int) async throws -> Bool) async throws -> Int
    {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<tasks { group.addTask { try await body(number) } }
            var yes = 0
            for try await isYes in group where isYes { yes += 1 }
            return yes
        }
    }

    @Test("of 200 concurrent rotations of one token, one wins", arguments: StoreUnderTest.expected)
    func rotations(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { try StoredAccount(1).add(in: $0) }
            for generation in UInt32(0)..<5 {
                let hash = try #require(try await database.read { try Sessions.find(id(1), in: $0) }).currentHash
                let won = try await Self.count(200) { number in
                    try await database.write { transaction in
                        // As a route does it: read, decide, and repeat the values read in the condition.
                        guard let session = try Sessions.find(id(1), in: transaction),
                            session.generation == generation, session.currentHash == hash
                        else { return false }
                        return try Sessions.compareAndSwap(
                            id(1), expecting: generation, hash,
                            to: Sessions.Rotation(
                                generation: generation + 1, currentHash: bytes(UInt8(number)), recent: hash,
                                idleExpiresAt: now.plus(5), lastUsedAt: now), in: transaction)
                    }
                }
                #expect(won == 1)
                let session = try #require(try await database.read { try Sessions.find(id(1), in: $0) })
                #expect(session.generation == generation + 1)
                #expect(session.recent == hash)
            }
        }
    }

    @Test(
        "a rotation needs the right generation, the right hash, and a session that is not revoked",
        arguments: StoreUnderTest.expected)
    func conditions(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                try StoredAccount(2).add(in: transaction)
                let rotation = Sessions.Rotation(
                    generation: 1, currentHash: bytes(50), recent: [1], idleExpiresAt: now.plus(1),
                    lastUsedAt: now.plus(2))
                func swap(_ session: UInt8, _ generation: UInt32, _ hash: UInt8) throws -> Bool {
                    try Sessions.compareAndSwap(
                        id(session), expecting: generation, bytes(hash), to: rotation, in: transaction)
                }
                #expect(try !swap(1, 1, 1))
                #expect(try !swap(1, 0, 2))
                #expect(try !swap(3, 0, 1))
                try Sessions.revoke(id(2), at: now, reason: "logout", in: transaction)
                #expect(try !swap(2, 0, 2))
                #expect(try swap(1, 0, 1))
                #expect(try !swap(1, 0, 1))
                var expected = StoredAccount(1).session
                expected.generation = 1
                expected.currentHash = bytes(50)
                expected.recent = [1]
                expected.idleExpiresAt = now.plus(1)
                expected.lastUsedAt = now.plus(2)
                #expect(try Sessions.find(id(1), in: transaction) == expected)
            }
        }
    }

    @Test("of 200 concurrent uses of one value, one is the first", arguments: StoreUnderTest.expected)
    func spending(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let first = try await Self.count(200) { _ in
                try await database.write { try ReplayCache.spend(bytes(1), until: now, in: $0) }
            }
            #expect(first == 1)
        }
    }

    @Test("of 200 concurrent uses of one recovery code, one is accepted", arguments: StoreUnderTest.expected)
    func recovery(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            try await database.write { transaction in
                try StoredAccount(1).add(in: transaction)
                try RecoveryCodes.replaceAll(
                    of: id(1),
                    with: [
                        RecoveryCodeRow(
                            selector: bytes(1, 5), account: id(1), salt: bytes(1, 16), hash: bytes(1), createdAt: now)
                    ], in: transaction)
            }
            let accepted = try await Self.count(200) { _ in
                try await database.write { try RecoveryCodes.use(bytes(1, 5), at: now, in: $0) }
            }
            #expect(accepted == 1)
        }
    }

    @Test("of 200 concurrent requests, a bucket allows as many as it holds", arguments: StoreUnderTest.expected)
    func buckets(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let rate = TokenBucket.Rate(burst: 30, every: .seconds(1))
            let granted = try await Self.count(200) { _ in
                if case .granted = try await database.write({
                    try RateLimits.take(from: bytes(1), rate, at: now, in: $0)
                }) {
                    true
                } else {
                    false
                }
            }
            #expect(granted == 30)
        }
    }
}
