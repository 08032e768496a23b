import ExchangeCredentials
import PinnedHTTP
internal import PinnedWebSockets
import Synchronization
import Testing
import Time

@testable import Exchange

@Suite("Orders of a stream and the journal", .timeLimit(.minutes(20))) struct StreamJournalTests {
    private func stream(_ fixture: ExchangeFixture, _ feed: ScriptedFeed) -> ExchangeStream {
        ExchangeStream(
            StreamCore(
                [feed.feed(.orders, fixture.venue)], clock: fixture.time.clock, journal: StreamJournal(fixture.client)))
    }

    private func report(_ fixture: ExchangeFixture, _ id: ClientOrderID, amount: String = "1.25", number: UInt64 = 1)
        -> String
    {
        fixture.venue == .binance
            ? StreamSamples.binanceReport(id.description, amount: amount)
            : StreamSamples.krakenNew(id.description, number: number, amount: amount)
    }

    private func note(_ event: StreamEvent?) -> OrderNote? {
        if case .order(_, let note)? = event { note } else { nil }
    }

    /// Places an order whose answer and queries are lost, so that the journal has it as open.
    private func open(_ fixture: ExchangeFixture) async throws -> ClientOrderID {
        let id = fixture.newID()
        let first: FakeExchange.Trouble = .hidden(100_000_000)
        fixture.exchange.next(first)
        let path = fixture.venue == .binance ? "GET /api/v3/order" : "POST /0/private/OpenOrders"
        fixture.exchange.next(.notConnected, .notConnected, .notConnected, at: path)
        let outcome = try await fixture.client.place(try fixture.order(), as: id)
        guard case .unknown = outcome else { throw Unexpected() }
        return id
    }

    private struct Unexpected: Error {}

    @Test("a report settles an order of the journal whose answer was lost", arguments: ExchangeFixture.Kind.allCases)
    func observed(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let id = try await open(fixture)
        #expect(try await fixture.client.unsettledOrders().map(\.id) == [id])
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        feed.say(report(fixture, id))
        #expect(note(try await events.next()) == .noted)
        #expect(try await fixture.client.unsettledOrders().isEmpty)
        guard case .placed? = try await fixture.client.journal().first?.state else {
            Issue.record("not placed")
            return
        }
    }

    @Test(
        "an order of another program is shown, and the journal stays as it is", arguments: ExchangeFixture.Kind.allCases
    )
    func foreign(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        feed.say(report(fixture, fixture.newID()))
        #expect(note(try await events.next()) == .foreign)
        #expect(try await fixture.client.journal().isEmpty)
    }

    @Test("a report with another amount or side is not noted", arguments: ExchangeFixture.Kind.allCases)
    func otherTerms(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let id = try await open(fixture)
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        feed.say(report(fixture, id, amount: "1.24"))
        #expect(note(try await events.next()) == .otherTerms)
        let side = report(fixture, id, number: 2).replacing(#""BUY""#, with: #""SELL""#)
            .replacing(#""side":"buy""#, with: #""side":"sell""#)
        feed.say(side)
        #expect(note(try await events.next()) == .otherTerms)
        if fixture.venue == .binance {
            feed.say(StreamSamples.binanceReport(id.description, symbol: "ETHUSDT"))
            #expect(note(try await events.next()) == .otherTerms)
        }
        #expect(try await fixture.client.unsettledOrders().map(\.id) == [id])
    }

    @Test("an order that the exchange's engine refused is not noted as placed")
    func rejected() async throws {
        let fixture = try await ExchangeFixture()
        let id = try await open(fixture)
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        feed.say(StreamSamples.binanceReport(id.description, state: "REJECTED"))
        #expect(note(try await events.next()) == .notPlaced)
        #expect(try await fixture.client.unsettledOrders().map(\.id) == [id])
    }

    @Test("a second report about an order writes nothing")
    func noted() async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(files: files)
        let id = try await open(fixture)
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        feed.say(report(fixture, id))
        #expect(note(try await events.next()) == .noted)
        let writes = files.writes
        feed.say(report(fixture, id))
        #expect(note(try await events.next()) == .noted)
        #expect(files.writes == writes)
    }

    @Test(
        "after a gap every order of the journal is looked up, and none is sent again",
        arguments: ExchangeFixture.Kind.allCases)
    func lookedUp(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let unknown = try await open(fixture)
        let placed = fixture.newID()
        guard case .placed = try await fixture.client.place(try fixture.order(), as: placed) else { throw Unexpected() }
        let orders = fixture.exchange.orders.count
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        feed.give(.gap(WebSocketGap(after: 1, reason: .cut, since: 5)))
        #expect(try await events.next() == .interrupted(.orders, .broken, since: Timestamp(milliseconds: 5_000)))
        fixture.time.pass(200_000_000)
        feed.give(.subscribed(2))
        var found: [ClientOrderID: OrderOutcome] = [:]
        var gaps = 0
        while found.count < 2, let event = try await events.next() {
            switch event {
            case .gap: gaps += 1
            case .lookedUp(let entry, let outcome): found[entry.id] = outcome
            default: break
            }
        }
        #expect(gaps == 1)
        guard case .placed(_, .query)? = found[unknown], case .placed(_, .query)? = found[placed] else {
            Issue.record("\(found)")
            return
        }
        #expect(fixture.exchange.orders.count == orders)
    }

    @Test("an order that the stream has seen end is not looked up again, and a market's gap looks nothing up")
    func ended() async throws {
        let fixture = try await ExchangeFixture()
        let id = fixture.newID()
        _ = try await fixture.client.place(try fixture.order(), as: id)
        let feed = ScriptedFeed()
        let journal = StreamJournal(fixture.client)
        let core = StreamCore([feed.feed(.orders, fixture.venue)], clock: fixture.time.clock, journal: journal)
        var events = ExchangeStream(core).makeAsyncIterator()
        feed.say(StreamSamples.binanceReport(id.description, state: "FILLED"))
        #expect(note(try await events.next()) == .noted)
        let sent = fixture.exchange.sent.count
        await journal.lookUp { _ in Issue.record("an order that has ended is looked up") }
        #expect(fixture.exchange.sent.count == sent)
    }

    @Test("after a gap Kraken is asked for the placed orders at once: a query for each would use up its counter")
    func paced() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        var ids: [ClientOrderID] = []
        for _ in 0..<ExchangeLimits.streamLookups {
            ids.append(fixture.newID())
            guard case .placed = try await fixture.client.place(try fixture.order(), as: ids[ids.count - 1]) else {
                throw Unexpected()
            }
        }
        let before = fixture.exchange.sent.count
        let found = Mutex<[ClientOrderID]>([])
        await StreamJournal(fixture.client).lookUp { event in
            guard case .lookedUp(let entry, .placed(_, .query)) = event else { Issue.record("\(event)"); return }
            found.withLock { $0.append(entry.id) }
        }
        #expect(found.withLock { $0 } == ids)
        #expect(fixture.exchange.sent.dropFirst(before).map(\.path) == ["/0/private/QueryOrders"])
    }

    @Test("a failed query after a gap is told")
    func failedLookup() async throws {
        let fixture = try await ExchangeFixture()
        _ = try await fixture.client.place(try fixture.order(), as: fixture.newID())
        fixture.exchange.next(.notConnected, at: "GET /api/v3/order")
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        feed.give(.gap(WebSocketGap(after: 1, reason: .cut, since: 5)), .subscribed(2))
        while let event = try await events.next() {
            guard case .lookupFailed(let error) = event else { continue }
            #expect(error == .transport(HTTPFailure(.notConnected, mayHaveArrived: false)))
            return
        }
    }

    @Test("a stream ends when its key is revoked on this machine", arguments: ExchangeFixture.Kind.allCases)
    func revoked(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let id = try await open(fixture)
        let feed = ScriptedFeed()
        var events = stream(fixture, feed).makeAsyncIterator()
        try await fixture.keyring.revoke(fixture.label, at: fixture.venue, now: fixture.time.clock.now())
        feed.say(report(fixture, id))
        await #expect(throws: ExchangeError.credential(.noKey)) { while try await events.next() != nil {} }
    }
}
