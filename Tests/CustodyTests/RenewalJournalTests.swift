import Foundation
import SecureStorage
import TestSupport
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("The journal of a renewal")
struct RenewalJournalTests {
    private static func journal(lost: [ShareLocation] = [.backup]) throws -> RenewalJournal {
        let wallet = try KnownWallet(threshold: 2, total: 2)
        return RenewalJournal(
            from: wallet.record, to: try wallet.renewed(epoch: 1).record, lost: lost)
    }

    /// A description in the journal's form: text within text.
    private static func quoted(_ record: WalletRecord) throws -> String {
        String(decoding: try record.encoded, as: UTF8.self).replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    @Test("golden bytes, which are read back")
    func golden() throws {
        let journal = try Self.journal()
        let text = """
            {
              "format" : 1,
              "from" : "\(try Self.quoted(journal.from))",
              "lost" : [
                "backup"
              ],
              "to" : "\(try Self.quoted(journal.to))"
            }

            """
        #expect(String(decoding: try journal.encoded, as: UTF8.self) == text)
        #expect(try RenewalJournal(decoding: Array(text.utf8), name: journal.to.name) == journal)
    }

    @Test("two sides that are not one wallet, one epoch apart, are refused; and so are malformed bytes")
    func broken() throws {
        let whole = try Self.journal()
        let other = try KnownWallet(0x44, threshold: 2, total: 2)
        func check(_ bytes: [UInt8], _ reason: String = "its renewal.json is damaged") {
            #expect(throws: CustodyError.damagedWallet(name: "known", reason: reason)) {
                try RenewalJournal(decoding: bytes, name: whole.to.name)
            }
        }
        check(try RenewalJournal(from: whole.to, to: whole.from, lost: []).encoded)
        check(try RenewalJournal(from: whole.from, to: whole.from, lost: []).encoded)
        check(try RenewalJournal(from: other.record, to: whole.to, lost: []).encoded)
        let text = String(decoding: try whole.encoded, as: UTF8.self)
        check(Array(text.replacing("\"format\" : 1", with: "\"format\" : 2").utf8))
        check(Array(text.replacing("\"backup\"", with: "\"attic\"").utf8))
        check(Array(text.utf8) + Array(repeating: 0x20, count: Limits.renewalJournalSize))
        check([])
        check(Array(text.replacing("regtest", with: "nowhere").utf8), "its network is not known")
    }

    @Test("mutated journals are refused, or encode to the same bytes")
    func fuzz() throws {
        let name = try Self.journal().to.name
        Fuzz.mutations(of: [try Self.journal().encoded, try Self.journal(lost: []).encoded], iterations: 1_000) {
            bytes in
            guard let journal = try? RenewalJournal(decoding: bytes, name: name) else { return }
            let again = try RenewalJournal(decoding: try journal.encoded, name: name)
            #expect(again == journal)
            #expect(journal.from.epoch + 1 == journal.to.epoch && journal.from.walletID == journal.to.walletID)
        }
    }
}
