internal import Encoding
internal import Ethereum
internal import HDKeys
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("Choices by the beginning of an id")
struct NamedChoiceTests {
    private static let ids = ["0xabcdef01", "0xabcdef02", "0x99999999"]

    /// Returns a history of three Ethereum transactions.
    private func history() async throws -> [HistoryEntry] {
        let books = try BookFixture()
        let book = try await books.open()
        for (nonce, id) in Self.ids.enumerated() {
            let payload = try Order.ether(1, nonce: UInt64(nonce))
            let intent = try book.meaning(of: payload)
            try await book.admit(payload, meaning: intent, in: SigningContext(now: Order.noon))
            try await book.note(.signed(id: id, bytes: [1]), of: intent.digest)
        }
        let history = await book.history()
        await book.close()
        return history
    }

    @Test("the beginning of a transaction's id names none, one or several of its chain")
    func transactions() async throws {
        let history = try await history()
        func choice(_ text: String, on chain: Chain = .ethereum(.ethereum)) throws -> NamedChoice<NamedTransaction> {
            try #require(ShortID(text)).transaction(in: history, on: chain)
        }
        #expect(try choice("0x999999") == .one(NamedTransaction(id: "0x99999999", entry: history[2])))
        #expect(try choice(Hex.encode(history[2].digest.prefix(5))) == choice("999999"))
        guard case .several(let found) = try choice("abcdef") else {
            Issue.record("not several")
            return
        }
        #expect(found.map(\.id) == ["0xabcdef01", "0xabcdef02"])
        #expect(try choice("abcdef03") == .none)
        #expect(try choice("999999", on: .bitcoin(.regtest)) == .none)
    }

    @Test("all digits of an id name a transaction that was signed elsewhere")
    func whole() async throws {
        let digits = String(repeating: "5b", count: 32)
        let id = try #require(ShortID(digits))
        #expect(id.transaction(in: [], on: .bitcoin(.regtest)) == .one(NamedTransaction(id: digits, entry: nil)))
        #expect(
            id.transaction(in: [], on: .ethereum(.ethereum)) == .one(NamedTransaction(id: "0x" + digits, entry: nil)))
    }

    @Test("an id of one chain is not read as one of the other")
    func chains() {
        let digits = String(repeating: "5b", count: 32)
        let ethereum = ChainName.ethereum(.ethereum)
        #expect(ShortID(digits, on: .bitcoin) != nil && ShortID("0x" + digits, on: ethereum) != nil)
        #expect(ShortID("0x" + digits, on: .bitcoin) == nil && ShortID(digits, on: ethereum) == nil)
        #expect(ShortID("abcdef", on: .bitcoin) != nil && ShortID("abcdef", on: ethereum) != nil)
        #expect(ShortID("abcde", on: .bitcoin) == nil && ShortID("abcde", on: ethereum) == nil)
    }

    @Test("the beginning of a digest names none, one or several proposals; too few digits name none")
    func proposals() throws {
        let proposals = try ["abcdef01", "abcdef02", "99999999"].map { digest in
            PendingProposal(
                try Order.ether(1, nonce: 0), digest: try Hex.decode(digest), firstProposed: 0, order: nil)
        }
        #expect(proposals.choice("999999") == .one(proposals[2]))
        #expect(proposals.choice("ABCDEF") == .several(Array(proposals.prefix(2))))
        #expect(proposals.choice("abcdef03") == .none)
        #expect(proposals.choice("99999") == .none)
    }
}
