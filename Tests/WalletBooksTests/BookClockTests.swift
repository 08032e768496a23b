import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

/// A clock that was ahead and is corrected looks the same as one that was right and is turned back.
@Suite("The book and a wrong clock")
struct BookClockTests {
    private static let day: UInt64 = 86_400
    private static let years: UInt64 = 10 * 365 * day
    private let noon = Order.noon

    @Test("a payment signed ten years ahead counts for a whole window after the clock is corrected, and no longer")
    func ahead() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        try await book.admit(try Order.ether(10, nonce: 0), at: noon + Self.years)
        let next = try Order.ether(10, nonce: 1)
        #expect(try await book.verdict(on: next, at: noon) == .denied)
        // It counts since the first correction, even if it is asked later.
        #expect(try await book.verdict(on: next, at: noon + Self.day / 2) == .denied)
        #expect(try await book.verdict(on: next, at: noon + Self.day) == .denied)
        await book.close()
        let again = try await books.open()
        #expect(try await again.verdict(on: next, at: noon + Self.day + 1) == nil)
        // When the recorded time comes, or the clock is ahead again, both count again.
        let third = try Order.ether(10, nonce: 2)
        #expect(try await again.verdict(on: third, at: noon + Self.years + 1) == .denied)
        #expect(try await again.verdict(on: third, at: noon + Self.years + Self.day + 1) == nil)
    }

    @Test("a call of notice is enough for the correction, and times slightly ahead need none")
    func notice() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let ahead = noon + WalletLimits.clockDeviation
        let digest = try await book.admit(try Order.ether(10, nonce: 0), at: ahead)
        try await book.notice(now: noon)
        #expect(await book.entry(digest)?.corrections == [])
        try await book.notice(now: noon - 1)
        #expect(await book.entry(digest)?.corrections == [noon - 1])
        #expect(await book.entry(digest)?.time == ahead)
        let next = try Order.ether(10, nonce: 1)
        // An hour later the entry is in the past, and counts from its recorded time.
        #expect(try await book.verdict(on: next, at: ahead + Self.day) == .denied)
        #expect(try await book.verdict(on: next, at: ahead + Self.day + 1) == nil)
    }

    @Test("any number of entries and proposals ahead of the clock is corrected in one write")
    func oneWrite() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "all", "then": "allow"}"#)
        var digests: [[UInt8]] = []
        for nonce: UInt64 in 0..<5 {
            digests.append(try await book.admit(try Order.ether(1, nonce: nonce), at: noon + Self.years))
        }
        for nonce: UInt64 in 5..<7 {
            let order = try Order.ether(1, nonce: nonce)
            try await book.propose(order, digest: try book.meaning(of: order).digest, now: noon + Self.years)
        }
        func writes() async throws -> UInt64 { try await book.file.generation }
        let before = try await writes()
        try await book.notice(now: noon)
        #expect(try await writes() == before + 1)
        try await book.notice(now: noon)
        #expect(try await writes() == before + 1)
        await book.close()
        let again = try await books.open()
        for digest in digests { #expect(await again.entry(digest)?.corrections == [noon]) }
        #expect(await again.entries.map(\.digest) == digests)
        #expect(await again.stored.map(\.times.corrections) == [[noon], [noon]])
        await again.close()
    }

    @Test("a clock that is turned back frees nothing once it is right again, whatever was corrected meanwhile")
    func turnedBack() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let digest = try await book.admit(try Order.ether(6, nonce: 0))
        for days: UInt64 in [5, 10, 20] { try await book.notice(now: noon - days * Self.day) }
        try await book.admit(try Order.ether(4, nonce: 1), at: noon - 20 * Self.day)
        #expect(await book.entry(digest)?.corrections.count == 3)
        let next = try Order.ether(1, nonce: 2)
        #expect(try await book.verdict(on: next, at: noon - 20 * Self.day) == .denied)
        #expect(try await book.verdict(on: next, at: noon + 1) == .denied)
        #expect(try await book.verdict(on: next, at: noon + Self.day) == .denied)
        #expect(try await book.verdict(on: next, at: noon + Self.day + 1) == nil)
    }

    @Test("the latest time that is not in the future counts; times beyond the bound are ignored")
    func times() throws {
        var times = ClockTimes(first: 1_000_000)
        #expect(times.counts(at: 5) == 5)
        let noticed = [500_000, 500_000, 600_000, 400_000].map { times.correct(to: $0) }
        #expect(noticed == [true, false, false, true])
        #expect(
            [399_999, 400_000, 450_000, 500_000, 999_999, 1_000_000, 2_000_000].map(times.counts(at:))
                == [399_999, 400_000, 400_000, 500_000, 500_000, 1_000_000, 1_000_000])
        let beyond = times.correct(to: .max)
        #expect(!beyond)
        var last: UInt64 = 400_000
        while times.correct(to: last - 4_000) { last -= 4_000 }
        #expect(times.corrections.count == WalletLimits.clockCorrections)
        // From then on a time in the future counts as the present, for any duration.
        #expect(times.counts(at: 3) == 3)
        #expect(try ClockTimes(times.rlp) == times)
    }

    @Test("a jumping clock does not shorten a delay, and a clock ten years ahead does not extend it by ten years")
    func delay() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "wait", "then": {"delay": "24h"}}"#)
        func propose(_ nonce: UInt64, at now: UInt64) async throws -> SigningPayload {
            let order = try Order.ether(1, nonce: nonce)
            try await book.propose(order, digest: try book.meaning(of: order).digest, now: now)
            return order
        }
        // Proposed ten years ahead: the delay of a day begins when the clock is right again.
        let first = try await propose(0, at: noon + Self.years)
        #expect(try await book.verdict(on: first, at: noon) == .notBefore(noon + Self.day))
        #expect(try await book.verdict(on: first, at: noon + Self.day - 1) == .notBefore(noon + Self.day))
        // Proposed when the clock is right again: the delay begins then.
        let later = noon + Self.day / 2
        let second = try await propose(1, at: later)
        #expect(try await book.verdict(on: second, at: later + Self.day - 1) == .notBefore(later + Self.day))
        #expect(try await book.verdict(on: first, at: noon + Self.day) == nil)
        // A clock turned back before the correction and set right again does not go before the time in the book.
        let third = try await propose(2, at: noon - 20 * Self.day)
        #expect(try await book.verdict(on: third, at: later + 1) == .notBefore(later + Self.day))
        try await book.notice(now: noon - 30 * Self.day)
        #expect(try await book.verdict(on: second, at: later + 1) == .notBefore(later + Self.day))
        #expect(try await book.verdict(on: second, at: later + Self.day) == nil)
    }
}
