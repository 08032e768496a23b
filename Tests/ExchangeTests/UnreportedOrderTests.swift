import ExchangeCredentials
import PinnedHTTP
import Secrets
import TestSupport
import Testing
import Time

@testable import Exchange

/// Orders whose outcome no person has seen, since the command ended before it could tell.
@Suite("Unreported orders") struct UnreportedOrderTests {
    @Test(
        "an order stays unreported until it is noted, and the outcome is found without sending it",
        arguments: ExchangeFixture.Kind.allCases)
    func life(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let id = fixture.newID()
        fixture.exchange.next(.cutAfter)
        // The client of this call ends with it, as a process that is killed.
        _ = try await fixture.restarted().place(fixture.order(), as: id, isReported: false)
        let other = try fixture.restarted()
        let found = try await other.settleUnreported(of: fixture.order())
        #expect(found.map(\.entry.id) == [id])
        guard case .placed = found.first?.outcome else { Issue.record("\(found)"); return }
        #expect(try await other.settleUnreported(of: fixture.order("2")).isEmpty)
        #expect(try await other.settleUnreported().count == 1)
        #expect(fixture.exchange.orders.count == 1)
        try await other.noteReported(id)
        #expect(try await fixture.restarted().unreportedOrders().isEmpty)
        #expect(try await fixture.restarted().journal().map(\.id) == [id])
    }

    @Test("while the process that placed an order runs, another one does not note that its outcome was told")
    func held() async throws {
        let fixture = try await ExchangeFixture()
        let ids = [fixture.newID(), fixture.newID()]
        var owner: ExchangeClient? = try fixture.restarted()
        for id in ids { _ = try await owner?.place(fixture.order(), as: id, isReported: false) }
        for id in ids { try await fixture.client.noteReported(id) }
        #expect(try await fixture.client.unreportedOrders().map(\.id) == ids)
        // Another call with the same id does not take the order from its process.
        _ = try await fixture.client.place(fixture.order(), as: ids[0], isReported: false)
        try await owner?.noteReported(ids[0])
        #expect(try await fixture.client.unreportedOrders().map(\.id) == [ids[1]])
        owner = nil
        try await fixture.client.noteReported(ids[1])
        #expect(try await fixture.client.unreportedOrders().isEmpty)
    }

    @Test("an order that was not sent is held by no process")
    func notHeld() async throws {
        let fixture = try await ExchangeFixture()
        let id = fixture.newID()
        _ = try await fixture.client.place(fixture.order(), as: id, isReported: false)
        let second = fixture.newID()
        await #expect(throws: ExchangeError.sameOrder(id)) {
            _ = try await fixture.client.place(
                fixture.order(), as: second, isReported: false,
                unlessSameSince: Timestamp(milliseconds: fixture.time.now))
        }
        let other = try fixture.restarted()
        _ = try await other.place(fixture.order(), as: second, isReported: false)
        try await fixture.client.noteReported(second)
        #expect(try await other.unreportedOrders().map(\.id) == [id, second])
    }

    @Test(
        "processes that get the same order at the same time send one",
        arguments: [ExchangeFixture.Kind.binanceHMAC, .kraken])
    func together(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, begun) = (try fixture.order(), Timestamp(milliseconds: fixture.time.now))
        let results = try await withThrowingTaskGroup(of: Result<OrderOutcome, ExchangeError>.self) { group in
            for _ in 0..<8 {
                let (client, id) = (try fixture.restarted(), fixture.newID())
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
        let id = try #require(try await fixture.client.journal().first?.id)
        #expect(results.count(where: { (try? $0.get())?.mayStillAct == true }) == 1)
        #expect(results.count(where: { $0 == .failure(.sameOrder(id)) }) == 7)
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("an order is the same one again only if it may be at the exchange and is untold, or newer than the request")
    func same() async throws {
        let fixture = try await ExchangeFixture()
        let order = try fixture.order()
        func place(_ order: Order, _ id: ClientOrderID, since begun: Int64) async throws -> Bool {
            do throws(ExchangeError) {
                _ = try await fixture.client.place(
                    order, as: id, isReported: false, unlessSameSince: Timestamp(milliseconds: begun))
                return true
            } catch .sameOrder { return false }
        }
        let id = fixture.newID()
        #expect(try await place(order, id, since: fixture.time.now))
        #expect(try await !place(order, fixture.newID(), since: fixture.time.now))
        #expect(try await place(fixture.order("2"), fixture.newID(), since: fixture.time.now))
        try await fixture.client.noteReported(id)
        // The person gave it after the first one was told.
        fixture.time.pass(1)
        let second = fixture.newID()
        #expect(try await place(order, second, since: fixture.time.now))
        try await fixture.client.noteReported(second)
        // A clock that was set back does not make the order one of the future.
        fixture.time.goBack(600_000)
        let third = fixture.newID()
        fixture.exchange.next(
            .answerInstead(
                status: 400, body: #"{"code":-1013,"msg":"x"}"#,
                headers: [HTTPHeader("Content-Type", "application/json")]))
        #expect(try await place(order, third, since: fixture.time.now))
        // That one was refused, and its outcome was not told.
        #expect(try await place(order, fixture.newID(), since: fixture.time.now))
    }

    @Test("an order that a library placed need not be reported")
    func library() async throws {
        let fixture = try await ExchangeFixture()
        _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(try await fixture.client.unreportedOrders().isEmpty)
    }

    @Test("the note about an order that is not in the journal changes nothing")
    func unknown() async throws {
        let fixture = try await ExchangeFixture()
        try await fixture.client.noteReported(fixture.newID())
        #expect(try await fixture.client.journal().isEmpty)
    }

    @Test("another attempt at an order that was not sent is the newest order, also in the journal of another key")
    func attempts() throws {
        let random = SeededRandom(seed: 5)
        func entry(_ id: ClientOrderID, _ state: JournalEntry.State, _ amount: String = "1") throws -> JournalEntry {
            JournalEntry(
                id: id,
                order: try Order(
                    .sell, Quantity(amount, for: .amount), of: TradingSymbol("XBT/USD", on: .kraken), .market),
                created: Timestamp(milliseconds: 1), deadline: Timestamp(milliseconds: 2), state: state)
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
                        created: Timestamp(milliseconds: 1), deadline: Timestamp(milliseconds: 2), state: state,
                        isReported: isReported))
            }
        }
        let read = try OrderJournal(decoding: journal.encoded)
        #expect(read == journal)
        #expect(read.entries.map(\.isReported) == states.flatMap { _ in [true, false] })
    }
}
