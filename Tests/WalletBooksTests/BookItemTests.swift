import TestSupport
import Testing

@testable import Custody
@testable import CustodyTestSupport
@testable import Wallet
@testable import WalletBooks

@Suite("Items of the book")
struct BookItemTests {
    @Test("mutated proposals and contacts are refused, or encode to the same bytes")
    func fuzzOthers() throws {
        let proposal = StoredProposal(
            digest: [UInt8](repeating: 1, count: 32), times: ClockTimes(first: 7), payload: [1, 2])
        let digest = String(repeating: "01", count: 32)
        #expect(hex(proposal.encoded) == "e601a0" + digest + "07820102")
        var numbered = proposal
        numbered.number = 5
        #expect(hex(numbered.encoded) == "e803a0" + digest + "0782010205c0")
        #expect(throws: CustodyError.malformedRecord) {
            // Version 3 without a number.
            try StoredProposal(decoding: [0xE8, 0x03, 0xA0] + proposal.digest + [0x07, 0x82, 0x01, 0x02, 0x80, 0xC0])
        }
        numbered.number = .max
        let corrected = StoredProposal(digest: proposal.digest, times: ClockTimes(first: 7, [5, 0]), payload: [1])
        Fuzz.roundTrips(
            of: [proposal.encoded, numbered.encoded, corrected.encoded], iterations: 3_000,
            decode: { try StoredProposal(decoding: $0) },
            encode: { $0.encoded })
        let contacts = Contact.encode([try Contact(name: "Bob", party: .ethereum(Order.bob))])
        let text =
            #"{"version":1,"contacts":[{"name":"Bob","party":{"type":"ethereum","address":"\#(Order.bob)"}}]}"#
        #expect(String(decoding: contacts, as: UTF8.self) == text)
        Fuzz.roundTrips(
            of: [contacts, Contact.encode([])], iterations: 3_000, decode: { try Contact.list(decoding: $0) },
            encode: { Contact.encode($0) })
    }
}
