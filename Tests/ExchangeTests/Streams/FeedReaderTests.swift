import ExchangeCredentials
import PinnedHTTP
internal import PinnedWebSockets
import Testing
import Time

@testable import Exchange

@Suite("The reading of a feed") struct FeedReaderTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func market() throws -> FeedReader {
        FeedReader(.market, BinanceStream(), symbols: [try TradingSymbol("BNBUSDT", on: .binance)])
    }

    private func gap(_ reason: WebSocketEnd = .cut, since: UInt64 = 1_700_000_000) -> WebSocketEvent {
        .gap(WebSocketGap(after: 1, reason: reason, since: since))
    }

    @Test("an interruption is told when it begins, and its whole time when it ends, once")
    func interruption() throws {
        var reader = try market()
        #expect(reader.read(.opened(1), now: start).isEmpty)
        #expect(reader.read(.subscribed(1), now: start) == [.subscribed(.market)])
        #expect(reader.read(.closed(1, .cut), now: start).isEmpty)
        #expect(reader.read(gap(), now: start) == [.interrupted(.market, .broken, since: start)])
        let failure = WebSocketFailure.connection(.notConnected)
        let waiting = StreamEvent.waiting(
            .market, .transport(HTTPFailure(.notConnected, mayHaveArrived: false)),
            pause: Timestamp.Span(milliseconds: 1_500))
        #expect(reader.read(.attemptFailed(failure, next: .milliseconds(1_500)), now: start) == [waiting])
        // A connection that could not be subscribed is a gap of its own for the client, and here a part of the first.
        #expect(reader.read(gap(.notSubscribed, since: 1_700_000_009), now: start.adding(.seconds(9))).isEmpty)
        let end = start.adding(.seconds(20))
        let whole = StreamGap(feed: .market, reason: .broken, from: start, to: end)
        #expect(reader.read(.subscribed(3), now: end) == [.gap(whole), .subscribed(.market)])
        #expect(reader.read(.subscribed(4), now: end) == [.subscribed(.market)])
    }

    @Test("a gap does not end before it begins, also if the clock was set back")
    func clockSetBack() throws {
        var reader = try market()
        _ = reader.read(gap(), now: start)
        let before = Timestamp(milliseconds: 5)
        let gap = StreamGap(feed: .market, reason: .broken, from: start, to: start)
        #expect(reader.read(.subscribed(2), now: before) == [.gap(gap), .subscribed(.market)])
    }

    @Test(
        "each end of a connection has its reason",
        arguments: [
            (WebSocketEnd.byServer(code: 1001), StreamGap.Reason.ended), (.silent, .silent), (.noPong, .silent),
            (.policyChanged, .pins), (.cut, .broken), (.notSubscribed, .broken),
        ])
    func reasons(end: WebSocketEnd, reason: StreamGap.Reason) throws {
        var reader = try market()
        #expect(reader.read(gap(end), now: start) == [.interrupted(.market, reason, since: start)])
    }

    @Test("a market that was not asked for, bytes, and orders on the wrong connection are counted as unreadable")
    func unreadable() throws {
        var reader = try market()
        let other = StreamSamples.binanceQuote.replacing("BNBUSDT", with: "ETHUSDT")
        let messages: [WebSocketMessage] = [
            .text(other), .text(StreamSamples.binanceTrade.replacing("BNBUSDT", with: "ETHUSDT")), .binary([0]),
            .text("x"), .text(StreamSamples.binanceReport("web_1")),
        ]
        for (index, message) in messages.enumerated() {
            #expect(reader.read(.message(1, message), now: start) == [.unreadable(.market, count: UInt64(index + 1))])
        }
        #expect(reader.read(.message(1, .text(StreamSamples.binanceQuote)), now: start).count == 1)
    }

    @Test("a missing number of a message is a gap; a new connection begins to count again")
    func numbers() throws {
        var reader = FeedReader(.orders, KrakenStream(), symbols: [])
        func message(_ text: String, _ time: Int64) -> [StreamEvent] {
            reader.read(.message(1, .text(text)), now: start.adding(Timestamp.Span(milliseconds: time)))
        }
        #expect(message(StreamSamples.krakenNew("web", number: 7), 0).count == 1)
        #expect(message(StreamSamples.krakenCancelled(number: 8), 1_000).count == 1)
        let events = message(StreamSamples.krakenCancelled(number: 10), 5_000)
        let missing = StreamGap(
            feed: .orders, reason: .numbers, from: start.adding(.seconds(1)), to: start.adding(.seconds(5)))
        #expect(events.first == .gap(missing) && events.count == 2)
        #expect(
            message(StreamSamples.krakenCancelled(number: 10), 6_000).first.map {
                if case .gap = $0 { true } else { false }
            } == true)
        _ = reader.read(.opened(2), now: start)
        #expect(message(StreamSamples.krakenNew("web", number: 1), 7_000).count == 1)
        #expect(message(StreamSamples.krakenCancelled(number: .max), 8_000).count == 2)
        #expect(message(StreamSamples.krakenCancelled(number: 0), 9_000).count == 2)
    }

    @Test("a report of a change gets the order's constant members from an earlier one")
    func knownOrders() throws {
        var reader = FeedReader(.orders, KrakenStream(), symbols: [])
        let id = "9c1d0b0e-7a53-4f0e-9a39-000000000000"
        _ = reader.read(.message(1, .text(StreamSamples.krakenNew(id))), now: start)
        guard
            case .order(let report, _)? = reader.read(
                .message(1, .text(StreamSamples.krakenCancelled())), now: start
            ).last
        else {
            Issue.record("not an order")
            return
        }
        #expect(report.clientID?.description == id && report.symbol?.text == "BTC/USD" && report.side == .buy)
        #expect(report.amount?.description == "1.25" && report.status == .cancelled)
    }

    @Test("the number of orders in memory is bounded, and the oldest one leaves it")
    func manyOrders() throws {
        var known = KnownOrders()
        func report(_ number: Int, _ side: Order.Side?) -> OrderReport {
            OrderReport(
                exchangeID: "O\(number)", clientID: nil, symbol: nil, side: side, amount: nil, price: nil,
                status: .open,
                filled: nil, tradePrice: nil, tradeAmount: nil, time: nil)
        }
        for number in 0...ExchangeLimits.streamOrders { _ = known.complete(report(number, .buy)) }
        #expect(known.count == ExchangeLimits.streamOrders)
        #expect(known.complete(report(1, nil)).side == .buy)
        #expect(known.complete(report(0, nil)).side == nil)
    }

    @Test("a subscription that the exchange ended needs another connection, which ends the gap")
    func ended() throws {
        var reader = FeedReader(.orders, BinanceStream(), symbols: [])
        let text = #"{"subscriptionId":0,"event":{"e":"eventStreamTerminated","E":1728973001334}}"#
        #expect(!reader.needsReplacement)
        #expect(
            reader.read(.message(1, .text(text)), now: start) == [.interrupted(.orders, .ended, since: start)])
        #expect(reader.needsReplacement)
        #expect(reader.read(.replacementFailed(.subscriptionTimedOut), now: start).count == 1)
        #expect(reader.read(.subscribed(2), now: start.adding(Timestamp.Span(milliseconds: 1))).count == 2)
        #expect(!reader.needsReplacement)
    }
}
