internal import DisplayText
internal import Ethereum
import Secrets
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("The book makes room")
struct BookRoomTests {
    private static let old: UInt64 = 40 * 86_400

    @Test("the oldest entries without consequences are removed; never one that counts, or that may still be mined")
    func eviction() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("100 ETH@ethereum:1"))
        await book.shrink(entries: 4)
        var digests: [[UInt8]] = []
        for nonce in 0..<4 { digests.append(try await book.admit(try Order.ether(1, nonce: UInt64(nonce)))) }
        // The first waits for a block, the second is final, the third was never signed as far as is known.
        for digest in digests[..<2] { try await book.note(.signed(id: nil, bytes: []), of: digest) }
        try await book.note(.mined(height: 1), of: digests[1])
        let next = try Order.ether(1, nonce: 4)
        let full = CustodyError.book(.full(.history))
        let recent = Order.noon + Limits.historySeconds
        #expect(
            await failure { () async throws(CustodyError) in try await book.admit(next, at: recent) } == full)
        #expect(await book.history().map(\.digest) == digests)

        let later = Order.noon + Self.old
        let fifth = try await book.admit(next, at: later)
        #expect(await book.history().map(\.digest) == [digests[0], digests[2], digests[3], fifth])
        let sixth = try await book.admit(try Order.ether(1, nonce: 5), at: later)
        let seventh = try await book.admit(try Order.ether(1, nonce: 6), at: later)
        #expect(await book.history().map(\.digest) == [digests[0], fifth, sixth, seventh])
        let more = try Order.ether(1, nonce: 7)
        #expect(await failure { () async throws(CustodyError) in try await book.admit(more, at: later) } == full)
        await book.close()
        #expect(await (try books.open()).history().map(\.digest) == [digests[0], fifth, sixth, seventh])
    }

    @Test("entries that a policy still counts stay, however long that is")
    func longWindow() async throws {
        let books = try BookFixture()
        let rule =
            #"{"name": "a year", "if": {"spent_at_most": {"amount": "1 ETH@ethereum:1", "within": "365d"}}, "then": "allow"}"#
        let book = try await books.open(rules: rule)
        await book.shrink(entries: 1)
        try await book.admit(try Order.ether(6, nonce: 0))
        let next = try Order.ether(3, nonce: 1)
        #expect(
            await failure { () async throws(CustodyError) in try await book.admit(next, at: Order.noon + Self.old) }
                == .book(.full(.history)))
        #expect(try await book.verdict(on: next, at: Order.noon + 366 * 86_400) == nil)
    }

    @Test("the book's size is limited in bytes, too, and an entry larger than the limit is refused")
    func bytes() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "all", "then": "allow"}"#)
        try await book.admit(try Order.ether(1, nonce: 0))
        await book.shrink(bytes: 100)
        let next = try Order.ether(1, nonce: 1)
        #expect(
            await failure { () async throws(CustodyError) in try await book.admit(next) } == .book(.full(.history)))
        await book.shrink(bytes: Limits.historySize)
        try await book.admit(next)

        let huge = try Order.bitcoin(1, from: books.wallet, spending: [1], times: 6_000)
        #expect(
            await failure { () async throws(CustodyError) in try await book.admit(huge) }
                == .book(.tooLarge(.history)))
        #expect(await book.history().count == 2)
    }

    @Test("messages, of which only the beginning is kept, and failed entries are removed first, however new they are")
    func messages() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "all", "then": "allow"}"#)
        await book.shrink(entries: 2)
        let text = String(repeating: "word ", count: 2_000)
        try await book.admit(.personalMessage(try PersonalMessage(text), account: 0))
        let kept = SanitizedText(text, limit: 256, lines: .several)
        #expect(await book.history().map(\.effects) == [[.message(kept)]])
        let payment = try await book.admit(try Order.ether(1, nonce: 0))
        let other = try await book.admit(try Order.ether(1, nonce: 1))
        #expect(await book.history().map(\.digest) == [payment, other])
        let message = SigningPayload.personalMessage(try PersonalMessage(text), account: 0)
        #expect(
            await failure { () async throws(CustodyError) in try await book.admit(message) }
                == .book(.full(.history)))
    }

    @Test("a signed transaction larger than an entry is recorded without its bytes")
    func largeTransaction() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let digest = try await book.admit(try Order.ether(1, nonce: 0))
        try await book.note(
            .signed(id: "a", bytes: [UInt8](repeating: 7, count: WalletLimits.historyEntrySize)), of: digest)
        #expect(await book.history().map(\.state) == [.signed])
        #expect(await book.history().map(\.transaction) == [nil])
        #expect(await book.history().map(\.id) == ["a"])
    }

    @Test("a record of a signed transaction of any size, with later additions, can be read again")
    func sizesAtTheLimit() async throws {
        let books = try BookFixture()
        var kept: [Bool] = []
        for slack in 0..<16 {
            let book = try await books.open()
            let digest = try await book.admit(try Order.ether(1, nonce: 0))
            // The first record is shorter than the later ones.
            try await book.note(.sent, of: digest)
            var bare = try #require(await book.history().first)
            bare.transaction = nil
            let size = WalletLimits.historyEntrySize - bare.encoded.count - slack
            try await book.note(.signed(id: "a", bytes: [UInt8](repeating: 7, count: size)), of: digest)
            try await book.note(.mined(height: 1 << 62), of: digest)
            let entry = try #require(await book.history().first)
            kept.append(entry.transaction != nil)
            await book.close()
            let again = try await books.open()
            #expect(await again.history() == [entry])
            await again.close()
        }
        // The last bytes are those of the lengths.
        #expect(kept.first == false && kept.last == true)
    }

    @Test("the largest proposal can be read again, however often its time was corrected")
    func correctedProposal() throws {
        let clock = ClockTimes(first: .max, (1...UInt64(WalletLimits.clockCorrections)).map { .max - $0 })
        let proposal = StoredProposal(
            digest: [UInt8](repeating: 1, count: 32), times: clock,
            payload: [UInt8](repeating: 7, count: Limits.proposalSize))
        #expect(try StoredProposal(decoding: proposal.encoded) == proposal)
    }
}
