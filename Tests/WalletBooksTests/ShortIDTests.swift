internal import Encoding
internal import Ethereum
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("Short ids")
struct ShortIDTests {
    @Test(
        "6 to 64 hexadecimal digits are a short id, in any case and after 0x or not",
        arguments: [("abcdef", "abcdef"), ("0xABCDEF01", "abcdef01"), (String(repeating: "0", count: 64), nil)])
    func read(_ text: String, _ digits: String?) {
        #expect(ShortID(text)?.digits == digits ?? text)
    }

    @Test(
        "other texts are none",
        arguments: [
            "", "abcde", "0xabcde", "abcdeg", "abc def", "ａｂｃｄｅｆ", "0x0xabcdef", String(repeating: "0", count: 65),
        ])
    func refused(_ text: String) {
        #expect(ShortID(text) == nil)
    }

    @Test("an entry is named by the beginning of its id or of its digest; several are all found")
    func entries() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let ids = ["0xabcdef01", "0xabcdef02", "0x99999999"]
        for (nonce, id) in ids.enumerated() {
            let payload = try Order.ether(1, nonce: UInt64(nonce))
            let intent = try book.meaning(of: payload)
            try await book.admit(payload, meaning: intent, in: SigningContext(now: Order.noon))
            try await book.note(.signed(id: id, bytes: [1]), of: intent.digest)
        }
        let history = await book.history()
        func named(_ text: String) throws -> [String?] { history.named(try #require(ShortID(text))).map(\.id) }
        #expect(try named("abcdef") == ["0xabcdef01", "0xabcdef02"])
        #expect(try named("0xabcdef02") == ["0xabcdef02"])
        #expect(try named("abcdef03") == [])
        #expect(try named(Hex.encode(history[2].digest.prefix(5))) == ["0x99999999"])
        await book.close()
    }
}
