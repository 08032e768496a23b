internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthStore
@testable internal import SQLStore

@Suite("Rate limits")
struct RateLimitTests {
    @Test(
        "a bucket lets its burst through, then one for each interval, and says how long to wait",
        arguments: StoreUnderTest.expected)
    func bucket(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let rate = TokenBucket.Rate(burst: 3, every: .seconds(10))
            func take(_ milliseconds: Int64) async throws -> TokenBucket.Outcome {
                try await database.write { transaction in
                    try RateLimits.take(from: bytes(1), rate, at: now.plus(milliseconds), in: transaction)
                }
            }
            func wait(_ milliseconds: Int64) -> TokenBucket.Outcome {
                .refused(retryAfter: Timestamp.Span(milliseconds: milliseconds))
            }
            #expect(try await take(0) == .granted(remaining: 2))
            #expect(try await take(0) == .granted(remaining: 1))
            #expect(try await take(1) == .granted(remaining: 0))
            #expect(try await take(2) == wait(9_998))
            // Repeated requests do not extend the wait.
            for milliseconds in Int64(3)..<40 { #expect(try await take(milliseconds) == wait(10_000 - milliseconds)) }
            #expect(try await take(9_999) == wait(1))
            #expect(try await take(10_000) == .granted(remaining: 0))
            #expect(try await take(10_000) == wait(10_000))
            // No more than the burst is available, however long the pause.
            #expect(try await take(10_000_000) == .granted(remaining: 2))
            // Another bucket is independent.
            let other = try await database.write { transaction in
                try RateLimits.take(from: bytes(2), rate, at: now, in: transaction)
            }
            #expect(other == .granted(remaining: 2))
        }
    }

    @Test("a bucket in another table's row allows as much as one in its own table", arguments: [UInt64](0..<8))
    func bucketInARow(_ seed: UInt64) async throws {
        try await StoreUnderTest.sqlite.with { database async throws in
            let random = SeededRandom(seed: seed)
            let interval = Timestamp.Span(milliseconds: Int64(1 + random.below(30)))
            let rate = TokenBucket.Rate(burst: Int64(1 + random.below(4)), every: interval)
            try await database.write { transaction throws in
                var kept: TokenBucket?
                for _ in 0..<300 {
                    // Also back in time, as a replica's clock may be.
                    let time = now.plus(Int64(random.below(400)))
                    let expected = try RateLimits.take(from: bytes(1), rate, at: time, in: transaction)
                    let (outcome, bucket) = TokenBucket.take(from: kept, rate, at: time)
                    #expect(outcome == expected)
                    if case .granted = outcome { kept = bucket }
                }
            }
        }
    }

    @Test(
        "a clock that is behind adds nothing to a bucket and takes nothing from it", arguments: StoreUnderTest.expected)
    func clockBehind(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            let rate = TokenBucket.Rate(burst: 2, every: .seconds(1))
            func take(_ milliseconds: Int64) async throws -> TokenBucket.Outcome {
                try await database.write { transaction in
                    try RateLimits.take(from: bytes(1), rate, at: now.plus(milliseconds), in: transaction)
                }
            }
            #expect(try await take(100_000) == .granted(remaining: 1))
            #expect(try await take(0) == .granted(remaining: 0))
            #expect(try await take(0) == .refused(retryAfter: Timestamp.Span(milliseconds: 101_000)))
            #expect(try await take(100_999) == .refused(retryAfter: Timestamp.Span(milliseconds: 1)))
            #expect(try await take(101_000) == .granted(remaining: 0))
        }
    }

    @Test(
        "over a long time no more is let through than the rate says, with intervals of any size",
        arguments: StoreUnderTest.expected)
    func longRun(_ store: StoreUnderTest) async throws {
        try await store.with { database async throws in
            for (number, interval) in [Int64(1), 7, 333, 3_600_000].enumerated() {
                let rate = TokenBucket.Rate(burst: 5, every: Timestamp.Span(milliseconds: interval))
                // Four attempts in each interval, forty intervals long.
                let granted = try await database.write { transaction in
                    var granted = 0
                    for step in Int64(0)..<160 {
                        let outcome = try RateLimits.take(
                            from: bytes(UInt8(number)), rate, at: now.plus(step * interval / 4), in: transaction)
                        if case .granted = outcome { granted += 1 }
                    }
                    return granted
                }
                #expect((42...45).contains(granted), "\(interval): \(granted)")
            }
        }
    }

    @Test("rates out of range become the nearest in range")
    func limits() {
        #expect(
            TokenBucket.Rate(burst: 0, every: .zero)
                == TokenBucket.Rate(burst: 1, every: Timestamp.Span(milliseconds: 1)))
        #expect(
            TokenBucket.Rate(burst: .max, every: .days(4000)) == TokenBucket.Rate(burst: 1_000_000, every: .days(30)))
    }
}
