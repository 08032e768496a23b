import AuditLog
import Encoding
import Testing
import Time

@testable import Presentation

@Suite("The list of a log's entries")
struct AuditEntryListTests {
    /// Lists a log: it is opened, then there are acts, the second one without an end.
    private func list(from first: UInt64?, count: Int, hasOpenings: Bool) throws -> [String] {
        let wallet = try AuditIdentifier([7])
        let events: [AuditEvent] = [
            .log(.epochBegan),
            .wallet(WalletEvent(.signing, .admitted, wallet: wallet, subject: nil)),
            .wallet(WalletEvent(.signing, .completed, wallet: wallet, subject: nil, admission: 1)),
            .wallet(WalletEvent(.renewal, .admitted, wallet: wallet, subject: nil)),
            .log(.closed),
        ]
        var list = AuditEntryList(from: first, count: count, hasOpenings: hasOpenings)
        for (number, event) in events.enumerated() {
            let record = AuditRecord(
                wall: Timestamp(milliseconds: 0), uptime: Timestamp.Span(milliseconds: 0), event: event)
            list.add(record, at: UInt64(number))
        }
        #expect(list.listed.filter { $0.ended == false }.map(\.entry) == list.listed.map(\.entry).filter { $0 == 3 })
        return list.listed.map { "\($0.entry) \($0.event)" }
    }

    @Test("it has the last entries, or those from a number on, and openings only if they are wanted")
    func window() throws {
        #expect(try list(from: nil, count: 10, hasOpenings: false) == ["1 signing", "2 signing", "3 renewal"])
        #expect(try list(from: nil, count: 2, hasOpenings: true) == ["3 renewal", "4 closed"])
        #expect(try list(from: nil, count: 1, hasOpenings: false) == ["3 renewal"])
        #expect(try list(from: 0, count: 2, hasOpenings: true) == ["0 epoch_began", "1 signing"])
        #expect(try list(from: 2, count: 2, hasOpenings: false) == ["2 signing", "3 renewal"])
    }

    @Test("a row names the log's source only if the log is not that of one wallet, and marks an act without an end")
    func rows() throws {
        var list = AuditEntryList(from: nil, count: 1, hasOpenings: false)
        let event = AuditEvent.wallet(
            WalletEvent(.renewal, .admitted, wallet: try AuditIdentifier([7]), subject: nil))
        list.add(
            AuditRecord(wall: Timestamp(milliseconds: 0), uptime: Timestamp.Span(milliseconds: 0), event: event), at: 3)
        #expect(list.text(isOfWallet: true).contains("renewal admitted (no end)"))
        #expect(!list.text(isOfWallet: true).contains("source"))
        #expect(list.text(isOfWallet: false).contains("source"))
    }
}
