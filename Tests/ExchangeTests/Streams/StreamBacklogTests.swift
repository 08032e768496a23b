import ExchangeCredentials
import Testing
import Time

@testable import Exchange

@Suite("The events that wait for a reader") struct StreamBacklogTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func quote(_ symbol: String, _ bid: String) throws -> StreamEvent {
        let price = try Quantity(bid, for: .price)
        return .quote(
            Quote(
                symbol: try TradingSymbol(symbol, on: .binance), bid: price, bidAmount: price, ask: price,
                askAmount: price))
    }

    private func order(_ number: Int) -> StreamEvent {
        .order(
            OrderReport(
                exchangeID: "\(number)", clientID: nil, symbol: nil, side: nil, amount: nil, price: nil, status: .open,
                filled: nil, tradePrice: nil, tradeAmount: nil, time: nil), .foreign)
    }

    private func all(_ backlog: inout StreamBacklog, _ now: Timestamp) -> [StreamEvent] {
        var events: [StreamEvent] = []
        while let event = backlog.take(now: now) { events.append(event) }
        return events
    }

    @Test("of the prices of a market the newest waits, and orders wait in their sequence")
    func newest() throws {
        var backlog = StreamBacklog()
        for bid in ["1", "2", "3"] {
            backlog.add(try quote("BTCUSDT", bid), now: start)
            backlog.add(try quote("ETHUSDT", bid), now: start)
        }
        backlog.add(order(1), now: start)
        backlog.add(order(2), now: start)
        #expect(
            all(&backlog, start) == [try quote("BTCUSDT", "3"), try quote("ETHUSDT", "3"), order(1), order(2)])
        backlog.add(try quote("BTCUSDT", "4"), now: start)
        #expect(all(&backlog, start) == [try quote("BTCUSDT", "4")])
    }

    @Test("a flood of every kind of event takes bounded memory")
    func flood() throws {
        var backlog = StreamBacklog()
        for number in 0..<20_000 {
            backlog.add(try quote("BTCUSDT", "\(number + 1)"), now: start)
            backlog.add(order(number), now: start)
            backlog.add(.unreadable(.market, count: UInt64(number)), now: start)
            backlog.add(.waiting(.market, .clock, pause: Timestamp.Span(milliseconds: 1)), now: start)
            backlog.add(.interrupted(.market, .broken, since: start), now: start)
            backlog.add(.subscribed(.market), now: start)
            backlog.add(.gap(StreamGap(feed: .market, reason: .broken, from: start, to: start)), now: start)
        }
        #expect(backlog.count <= ExchangeLimits.streamBacklog + 6)
        let events = all(&backlog, start)
        #expect(events.contains(try quote("BTCUSDT", "20000")) && events.contains(.unreadable(.market, count: 19_999)))
    }

    @Test("reports that were dropped are told as a gap in their place, until the reader gets there")
    func dropped() {
        var backlog = StreamBacklog()
        for number in 0..<ExchangeLimits.streamBacklog { backlog.add(order(number), now: start) }
        backlog.add(order(1_000), now: start.adding(Timestamp.Span(milliseconds: 10)))
        backlog.add(order(1_001), now: start.adding(Timestamp.Span(milliseconds: 20)))
        // There is room again: a later report waits behind the gap.
        #expect(backlog.take(now: start) == order(0))
        backlog.add(order(1_002), now: start.adding(Timestamp.Span(milliseconds: 30)))
        // The same gap tells a report that is dropped while it waits.
        backlog.add(order(1_003), now: start.adding(Timestamp.Span(milliseconds: 35)))
        let rest = all(&backlog, start.adding(Timestamp.Span(milliseconds: 40)))
        #expect(rest.count == ExchangeLimits.streamBacklog + 1)
        #expect(
            rest.suffix(2) == [
                .gap(
                    StreamGap(
                        feed: .orders, reason: .reader, from: start.adding(Timestamp.Span(milliseconds: 10)),
                        to: start.adding(Timestamp.Span(milliseconds: 40)))),
                order(1_002),
            ])
        backlog.add(order(1_004), now: start.adding(Timestamp.Span(milliseconds: 50)))
        #expect(all(&backlog, start) == [order(1_004)])
    }

    @Test("prices that arrive without end do not put the gap off, and later reports are told")
    func endless() throws {
        var backlog = StreamBacklog()
        for number in 0...ExchangeLimits.streamBacklog { backlog.add(order(number), now: start) }
        var events: [StreamEvent?] = []
        for number in 1...ExchangeLimits.streamBacklog + 2 {
            backlog.add(try quote("BTCUSDT", "\(number)"), now: start)
            events.append(backlog.take(now: start))
        }
        #expect(events.contains(.gap(StreamGap(feed: .orders, reason: .reader, from: start, to: start))))
        backlog.add(order(1_000), now: start)
        #expect(all(&backlog, start).contains(order(1_000)))
    }

    @Test("a gap that was dropped is a part of the gap that is told")
    func droppedGap() {
        var backlog = StreamBacklog()
        for number in 0..<ExchangeLimits.streamBacklog { backlog.add(order(number), now: start) }
        let early = Timestamp(milliseconds: 5)
        backlog.add(.gap(StreamGap(feed: .orders, reason: .broken, from: early, to: start)), now: start)
        #expect(
            all(&backlog, start).last == .gap(StreamGap(feed: .orders, reason: .reader, from: early, to: start)))
    }

    @Test("reports that are dropped after a gap was told are another gap")
    func secondGap() {
        var backlog = StreamBacklog()
        for time in [start, start.adding(Timestamp.Span(milliseconds: 100))] {
            for number in 0...ExchangeLimits.streamBacklog { backlog.add(order(number), now: time) }
            #expect(
                all(&backlog, time).last == .gap(StreamGap(feed: .orders, reason: .reader, from: time, to: time)))
        }
    }
}
