import PinnedHTTP
import Synchronization
import Testing

@testable import Exchange

@Suite("Orders of a stream and the journal", .timeLimit(.minutes(20))) struct StreamJournalTests {
    private func stream(_ desk: Desk, _ feed: ScriptedFeed) -> ExchangeStream {
        ExchangeStream(
            StreamCore(
                [feed.feed(.orders, desk.venue)], clock: desk.time.clock, journal: StreamJournal(desk.client)))
    }

    private func report(_ desk: Desk, _ id: ClientOrderID, amount: String = "1.25", number: UInt64 = 1) -> String {
        desk.venue == .binance
            ? StreamSamples.binanceReport(id.description, amount: amount)
            : StreamSamples.krakenNew(id.description, number: number, amount: amount)
    }

    private func note(_ event: StreamEvent?) -> OrderNote? {
        if case .order(_, let note)? = event { note } else { nil }
    }

    /// Places an order whose answer and queries are lost, so that the journal has it as open.
    private func open(_ desk: Desk) async throws -> ClientOrderID {
        let id = desk.newID()
        let first: FakeExchange.Trouble = .hidden(100_000_000)
        desk.exchange.next(first)
        let path = desk.venue == .binance ? "GET /api/v3/order" : "POST /0/private/OpenOrders"
        desk.exchange.next(.notConnected, .notConnected, .notConnected, at: path)
        let outcome = try await desk.client.place(try desk.order(), as: id)
        guard case .unknown = outcome else { throw Unexpected() }
        return id
    }

    private struct Unexpected: Error {}

    @Test("a report settles an order of the journal whose answer was lost", arguments: Desk.Kind.allCases)
    func observed(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let id = try await open(desk)
        #expect(try await desk.client.unsettledOrders().map(\.id) == [id])
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        feed.say(report(desk, id))
        #expect(note(try await events.next()) == .noted)
        #expect(try await desk.client.unsettledOrders().isEmpty)
        guard case .placed? = try await desk.client.journal().first?.state else {
            Issue.record("not placed")
            return
        }
    }

    @Test("an order of another program is shown, and the journal stays as it is", arguments: Desk.Kind.allCases)
    func foreign(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        feed.say(report(desk, desk.newID()))
        #expect(note(try await events.next()) == .foreign)
        #expect(try await desk.client.journal().isEmpty)
    }

    @Test("a report with another amount or side is not noted", arguments: Desk.Kind.allCases)
    func otherTerms(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let id = try await open(desk)
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        feed.say(report(desk, id, amount: "1.24"))
        #expect(note(try await events.next()) == .otherTerms)
        let side = report(desk, id, number: 2).replacing(#""BUY""#, with: #""SELL""#)
            .replacing(#""side":"buy""#, with: #""side":"sell""#)
        feed.say(side)
        #expect(note(try await events.next()) == .otherTerms)
        if desk.venue == .binance {
            feed.say(StreamSamples.binanceReport(id.description, symbol: "ETHUSDT"))
            #expect(note(try await events.next()) == .otherTerms)
        }
        #expect(try await desk.client.unsettledOrders().map(\.id) == [id])
    }

    @Test("an order that the exchange's engine refused is not noted as placed")
    func rejected() async throws {
        let desk = try await Desk()
        let id = try await open(desk)
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        feed.say(StreamSamples.binanceReport(id.description, state: "REJECTED"))
        #expect(note(try await events.next()) == .notPlaced)
        #expect(try await desk.client.unsettledOrders().map(\.id) == [id])
    }

    @Test("a second report about an order writes nothing")
    func noted() async throws {
        let files = MemoryFiles()
        let desk = try await Desk(files: files)
        let id = try await open(desk)
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        feed.say(report(desk, id))
        #expect(note(try await events.next()) == .noted)
        let writes = files.writes
        feed.say(report(desk, id))
        #expect(note(try await events.next()) == .noted)
        #expect(files.writes == writes)
    }

    @Test("after a gap every order of the journal is looked up, and none is sent again", arguments: Desk.Kind.allCases)
    func lookedUp(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let unknown = try await open(desk)
        let placed = desk.newID()
        guard case .placed = try await desk.client.place(try desk.order(), as: placed) else { throw Unexpected() }
        let orders = desk.exchange.orders.count
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        feed.give(.gap(WebSocketGap(after: 1, reason: .cut, since: 5)))
        #expect(try await events.next() == .interrupted(.orders, .broken, since: Moment(milliseconds: 5_000)))
        desk.time.pass(200_000_000)
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
        #expect(desk.exchange.orders.count == orders)
    }

    @Test("an order that the stream has seen end is not looked up again, and a market's gap looks nothing up")
    func ended() async throws {
        let desk = try await Desk()
        let id = desk.newID()
        _ = try await desk.client.place(try desk.order(), as: id)
        let feed = ScriptedFeed()
        let journal = StreamJournal(desk.client)
        let core = StreamCore([feed.feed(.orders, desk.venue)], clock: desk.time.clock, journal: journal)
        var events = ExchangeStream(core).makeAsyncIterator()
        feed.say(StreamSamples.binanceReport(id.description, state: "FILLED"))
        #expect(note(try await events.next()) == .noted)
        let sent = desk.exchange.sent.count
        await journal.lookUp { _ in Issue.record("an order that has ended is looked up") }
        #expect(desk.exchange.sent.count == sent)
    }

    @Test("after a gap Kraken is asked for the placed orders at once: a query for each would use up its counter")
    func paced() async throws {
        let desk = try await Desk(.kraken)
        var ids: [ClientOrderID] = []
        for _ in 0..<ExchangeLimits.streamLookups {
            ids.append(desk.newID())
            guard case .placed = try await desk.client.place(try desk.order(), as: ids[ids.count - 1]) else {
                throw Unexpected()
            }
        }
        let before = desk.exchange.sent.count
        let found = Mutex<[ClientOrderID]>([])
        await StreamJournal(desk.client).lookUp { event in
            guard case .lookedUp(let entry, .placed(_, .query)) = event else { Issue.record("\(event)"); return }
            found.withLock { $0.append(entry.id) }
        }
        #expect(found.withLock { $0 } == ids)
        #expect(desk.exchange.sent.dropFirst(before).map(\.path) == ["/0/private/QueryOrders"])
    }

    @Test("a failed query after a gap is told")
    func failedLookup() async throws {
        let desk = try await Desk()
        _ = try await desk.client.place(try desk.order(), as: desk.newID())
        desk.exchange.next(.notConnected, at: "GET /api/v3/order")
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        feed.give(.gap(WebSocketGap(after: 1, reason: .cut, since: 5)), .subscribed(2))
        while let event = try await events.next() {
            guard case .lookupFailed(let error) = event else { continue }
            #expect(error == .transport(HTTPFailure(.notConnected, mayHaveArrived: false)))
            return
        }
    }

    @Test("a stream ends when its key is revoked on this machine", arguments: Desk.Kind.allCases)
    func revoked(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let id = try await open(desk)
        let feed = ScriptedFeed()
        var events = stream(desk, feed).makeAsyncIterator()
        try await desk.keyring.revoke(desk.label, at: desk.venue, now: desk.time.clock.now())
        feed.say(report(desk, id))
        await #expect(throws: ExchangeError.noKey) { while try await events.next() != nil {} }
    }
}
