import PinnedHTTP
import Secrets
import TestSupport
import Testing

@testable import Exchange

/// Orders whose outcome no person has seen, since the command ended before it could tell.
@Suite("Unreported orders") struct UnreportedOrderTests {
    @Test(
        "an order stays unreported until it is noted, and the outcome is found without sending it",
        arguments: Desk.Kind.allCases)
    func life(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let id = desk.newID()
        desk.exchange.next(.cutAfter)
        _ = try await desk.client.place(desk.order(), as: id, isReported: false)
        let other = try desk.restarted()
        let found = try await other.settleUnreported(of: desk.order())
        #expect(found.map(\.entry.id) == [id])
        guard case .placed = found.first?.outcome else { Issue.record("\(found)"); return }
        #expect(try await other.settleUnreported(of: desk.order("2")).isEmpty)
        #expect(try await other.settleUnreported().count == 1)
        #expect(desk.exchange.orders.count == 1)
        try await other.noteReported(id)
        #expect(try await desk.restarted().unreportedOrders().isEmpty)
        #expect(try await desk.restarted().journal().map(\.id) == [id])
    }

    @Test("an order that a library placed need not be reported")
    func library() async throws {
        let desk = try await Desk()
        _ = try await desk.client.place(desk.order(), as: desk.newID())
        #expect(try await desk.client.unreportedOrders().isEmpty)
    }

    @Test("the note about an order that is not in the journal changes nothing")
    func unknown() async throws {
        let desk = try await Desk()
        try await desk.client.noteReported(desk.newID())
        #expect(try await desk.client.journal().isEmpty)
    }

    @Test("a journal keeps the note in every state of an order, and reads one that was written before there were notes")
    func encoding() throws {
        let random = SeededRandom(seed: 5)
        let states: [JournalEntry.State] = [
            .open, .placed(exchangeID: "O1-A"), .refused(Refusal(reason: .funds, code: "-2010")), .absent, .notSent,
        ]
        var journal = OrderJournal()
        for state in states {
            for isReported in [true, false] {
                try journal.add(
                    JournalEntry(
                        id: ClientOrderID(random: random),
                        order: try Order(
                            .sell, Quantity("0.5", for: .amount), of: TradingSymbol("XBT/USD", on: .kraken), .market),
                        created: Moment(milliseconds: 1), deadline: Moment(milliseconds: 2), state: state,
                        isReported: isReported))
            }
        }
        let read = try OrderJournal(decoding: journal.encoded)
        #expect(read == journal)
        #expect(read.entries.map(\.isReported) == states.flatMap { _ in [true, false] })
    }
}
