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
        // The client of this call ends with it, as a process that is killed.
        _ = try await desk.restarted().place(desk.order(), as: id, isReported: false)
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

    @Test("while the process that placed an order runs, another one does not note that its outcome was told")
    func held() async throws {
        let desk = try await Desk()
        let ids = [desk.newID(), desk.newID()]
        var owner: ExchangeClient? = try desk.restarted()
        for id in ids { _ = try await owner?.place(desk.order(), as: id, isReported: false) }
        for id in ids { try await desk.client.noteReported(id) }
        #expect(try await desk.client.unreportedOrders().map(\.id) == ids)
        // Another call with the same id does not take the order from its process.
        _ = try await desk.client.place(desk.order(), as: ids[0], isReported: false)
        try await owner?.noteReported(ids[0])
        #expect(try await desk.client.unreportedOrders().map(\.id) == [ids[1]])
        owner = nil
        try await desk.client.noteReported(ids[1])
        #expect(try await desk.client.unreportedOrders().isEmpty)
    }

    @Test("an order that was not sent is held by no process")
    func notHeld() async throws {
        let desk = try await Desk()
        let id = desk.newID()
        _ = try await desk.client.place(desk.order(), as: id, isReported: false)
        let second = desk.newID()
        await #expect(throws: ExchangeError.sameOrder(id)) {
            _ = try await desk.client.place(
                desk.order(), as: second, isReported: false, unlessSameSince: Moment(milliseconds: desk.time.now))
        }
        let other = try desk.restarted()
        _ = try await other.place(desk.order(), as: second, isReported: false)
        try await desk.client.noteReported(second)
        #expect(try await other.unreportedOrders().map(\.id) == [id, second])
    }

    @Test("processes that get the same order at the same time send one", arguments: [Desk.Kind.binanceHMAC, .kraken])
    func together(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let (order, begun) = (try desk.order(), Moment(milliseconds: desk.time.now))
        let results = try await withThrowingTaskGroup(of: Result<OrderOutcome, ExchangeError>.self) { group in
            for _ in 0..<8 {
                let (client, id) = (try desk.restarted(), desk.newID())
                group.addTask {
                    do throws(ExchangeError) {
                        let outcome = try await client.place(order, as: id, isReported: false, unlessSameSince: begun)
                        // The last ones look after the first one has told its outcome.
                        try await client.noteReported(id)
                        return .success(outcome)
                    } catch { return .failure(error) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let id = try #require(try await desk.client.journal().first?.id)
        #expect(results.count(where: { (try? $0.get())?.mayStillAct == true }) == 1)
        #expect(results.count(where: { $0 == .failure(.sameOrder(id)) }) == 7)
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("an order is the same one again only if it may be at the exchange and is untold, or newer than the request")
    func same() async throws {
        let desk = try await Desk()
        let order = try desk.order()
        func place(_ order: Order, _ id: ClientOrderID, since begun: UInt64) async throws -> Bool {
            do throws(ExchangeError) {
                _ = try await desk.client.place(
                    order, as: id, isReported: false, unlessSameSince: Moment(milliseconds: begun))
                return true
            } catch .sameOrder { return false }
        }
        let id = desk.newID()
        #expect(try await place(order, id, since: desk.time.now))
        #expect(try await !place(order, desk.newID(), since: desk.time.now))
        #expect(try await place(desk.order("2"), desk.newID(), since: desk.time.now))
        try await desk.client.noteReported(id)
        // The person gave it after the first one was told.
        desk.time.pass(1)
        let second = desk.newID()
        #expect(try await place(order, second, since: desk.time.now))
        try await desk.client.noteReported(second)
        // A clock that was set back does not make the order one of the future.
        desk.time.goBack(600_000)
        let third = desk.newID()
        desk.exchange.next(
            .answerInstead(
                status: 400, body: #"{"code":-1013,"msg":"x"}"#,
                headers: [HTTPHeader("Content-Type", "application/json")]))
        #expect(try await place(order, third, since: desk.time.now))
        // That one was refused, and its outcome was not told.
        #expect(try await place(order, desk.newID(), since: desk.time.now))
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

    @Test("another attempt at an order that was not sent is the newest order, also in the journal of another key")
    func attempts() throws {
        let random = SeededRandom(seed: 5)
        func entry(_ id: ClientOrderID, _ state: JournalEntry.State, _ amount: String = "1") throws -> JournalEntry {
            JournalEntry(
                id: id,
                order: try Order(
                    .sell, Quantity(amount, for: .amount), of: TradingSymbol("XBT/USD", on: .kraken), .market),
                created: Moment(milliseconds: 1), deadline: Moment(milliseconds: 2), state: state)
        }
        let (first, second) = (ClientOrderID(random: random), ClientOrderID(random: random))
        var journal = OrderJournal()
        try journal.add(entry(first, .notSent))
        try journal.add(entry(second, .absent))
        let older = journal
        #expect(throws: ExchangeError.idTaken) { try journal.add(entry(first, .open, "2")) }
        #expect(throws: ExchangeError.idTaken) { try journal.add(entry(second, .open)) }
        try journal.add(entry(first, .open))
        #expect(journal.entries == [try entry(second, .absent), try entry(first, .open)])
        // A rotation takes the journal over twice, and the attempt may be between.
        var adopted = older
        try adopted.adopt(journal)
        #expect(adopted[first]?.isOpen == true && adopted.entries.count == 2)
        var kept = journal
        try kept.adopt(older)
        #expect(kept == journal)
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
