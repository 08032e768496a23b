import Encoding
import ExchangeCredentials
import PinnedHTTP
internal import PinnedWebSockets
import Testing
import Time

@testable import Exchange

@Suite("The stream of an exchange", .timeLimit(.minutes(20))) struct ExchangeStreamTests {
    private let time = TestTime()

    private func symbol(_ text: String, _ venue: Venue = .binance) throws -> TradingSymbol {
        try TradingSymbol(text, on: venue)
    }

    @Test("a stalled reader gets the newest price when it goes on")
    func stalledReader() async throws {
        let feed = ScriptedFeed()
        let stream = ExchangeStream(
            StreamCore([feed.feed(.market, .binance, [try symbol("BNBUSDT")])], clock: time.clock, journal: nil))
        for bid in 1...5_000 {
            feed.say(StreamSamples.binanceQuote.replacing("25.35190000", with: "\(bid)"))
        }
        feed.end()
        // The end comes after all messages were read.
        while stream.core.queue.end == nil { await Task.yield() }
        #expect(stream.core.queue.count == 1)
        var events = stream.makeAsyncIterator()
        guard case .quote(let quote)? = try await events.next() else {
            Issue.record("no price")
            return
        }
        #expect(quote.bid.description == "5000")
        #expect(try await events.next() == nil)
    }

    @Test("the failure of one feed ends the stream with its reason, and closes the other feed")
    func oneFeedFails() async throws {
        let (market, orders) = (ScriptedFeed(), ScriptedFeed())
        let refused = ExchangeError.refused(Refusal(reason: .signature, code: "-1022"))
        let stream = ExchangeStream(
            StreamCore(
                [
                    market.feed(.market, .binance, [try symbol("BNBUSDT")]),
                    orders.feed(.orders, .binance, problem: refused),
                ], clock: time.clock, journal: nil))
        market.say(StreamSamples.binanceQuote)
        orders.end(.subscriptionFailed)
        var events = stream.makeAsyncIterator()
        await #expect(throws: refused) { while try await events.next() != nil {} }
        while market.closes == 0 { await Task.yield() }
    }

    @Test("the reason for a refused subscription is told in place of the lost connection")
    func waiting() async throws {
        let feed = ScriptedFeed()
        let stream = ExchangeStream(
            StreamCore([feed.feed(.orders, .kraken, problem: .clock)], clock: time.clock, journal: nil))
        feed.give(.attemptFailed(.lost(.notSubscribed), next: .seconds(2)))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next() == .waiting(.orders, .clock, pause: .seconds(2)))
    }

    @Test("close ends the stream after the events that wait")
    func close() async throws {
        let feed = ScriptedFeed()
        let stream = ExchangeStream(StreamCore([feed.feed(.market, .kraken)], clock: time.clock, journal: nil))
        feed.give(.subscribed(1))
        while stream.core.queue.count == 0 { await Task.yield() }
        await stream.close()
        var events = stream.makeAsyncIterator()
        #expect(try await events.next() == .subscribed(.market))
        #expect(try await events.next() == nil)
        #expect(feed.closes > 0)
    }

    @Test("a subscription that the exchange ended is made on another connection, once, and again after a pause")
    func replaced() async throws {
        let feed = ScriptedFeed()
        let stream = ExchangeStream(StreamCore([feed.feed(.orders, .binance)], clock: time.clock, journal: nil))
        let ended = #"{"subscriptionId":0,"event":{"e":"eventStreamTerminated","E":1728973001334}}"#
        feed.say(ended)
        feed.say(ended)
        feed.say("x")
        var events = stream.makeAsyncIterator()
        #expect(try await events.next(2).count == 2)
        #expect(feed.replacements == 1 && time.waits.isEmpty)
        feed.give(.replacementFailed(.subscriptionTimedOut))
        while feed.replacements < 2 { await Task.yield() }
        #expect(time.waits == [ExchangeLimits.streamReplacementPause.milliseconds])
        feed.give(.subscribed(3))
        var last: StreamEvent?
        while last != .subscribed(.orders) { last = try await events.next() }
        #expect(feed.replacements == 2)
    }

    @Test("symbols are checked: their exchange, their form, their number")
    func symbols() throws {
        func checked(_ texts: [String], _ venue: Venue, orders: Bool = false) throws -> [String] {
            try ExchangeStream.checked(try texts.map { try symbol($0, venue) }, venue, orders: orders).map(\.text)
        }
        #expect(try checked(["BTC/USD", "ETH/USD", "BTC/USD"], .kraken) == ["BTC/USD", "ETH/USD"])
        #expect(throws: ExchangeError.invalid(.symbol, .noSlash)) { try checked(["XBTUSD"], .kraken) }
        #expect(throws: ExchangeError.invalid(.symbol, .empty)) { try checked([], .binance) }
        #expect(try checked([], .binance, orders: true).isEmpty)
        let many = (0...ExchangeLimits.streamSymbols).map { "A\($0)" }
        #expect(throws: ExchangeError.invalid(.symbol, .tooMany(most: ExchangeLimits.streamSymbols))) {
            try checked(many, .binance)
        }
        #expect(try checked(Array(many.dropLast()), .binance).count == ExchangeLimits.streamSymbols)
        #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.kraken))) {
            try ExchangeStream.checked([try symbol("BTC/USD", .kraken)], .binance, orders: false)
        }
    }

    @Test("an attempt is repeated only for a reason that can pass soon")
    func mayPass() {
        let now = Timestamp(milliseconds: 1_000)
        func wait(_ duration: Timestamp.Span) -> ExchangeError {
            .mustWait(Wait(reason: .ban, until: now.adding(duration)))
        }
        func transport(_ reason: HTTPFailure.Reason) -> ExchangeError {
            .transport(HTTPFailure(reason, mayHaveArrived: false))
        }
        for error in [
            transport(.closed), transport(.notConnected), .clock, .busy, wait(.minutes(1)), .unclear(.exchange),
        ] {
            #expect(error.mayPass(now: now), "\(error)")
        }
        let refused = ExchangeError.refused(Refusal(reason: .signature, code: ""))
        for error in [
            transport(.notPinned(.noPins)), transport(.untrusted(.expired)), wait(Timestamp.Span(milliseconds: 60_001)),
            refused, .credential(.revoked), .credential(.noKey),
        ] {
            #expect(!error.mayPass(now: now), "\(error)")
        }
    }

    @Test("a feed of Kraken ends without a heartbeat, and every feed has pings, pauses and limits")
    func policies() {
        #expect(WebSocketPolicy.exchange(KrakenStream()).silence == .seconds(20))
        #expect(WebSocketPolicy.exchange(BinanceStream()).silence == nil)
        for dialect in [KrakenStream() as any StreamDialect, BinanceStream()] {
            let policy = WebSocketPolicy.exchange(dialect)
            #expect(policy.pingInterval == .seconds(20) && policy.pongTimeout == .seconds(10))
            #expect(policy.retries.longestPause == .seconds(60) && policy.messageBytes == 1 << 18)
        }
    }

    @Test("the message that subscribes to orders is new for each connection", arguments: ExchangeFixture.Kind.allCases)
    func subscription(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.answerByKey("/0/private/GetWebSocketsToken") { _ in #"{"token":"abc","expires":900}"# }
        let first = try await fixture.client.orderSubscription().text
        fixture.time.pass(10_000)
        let second = try await fixture.client.orderSubscription().text
        if kind == .kraken {
            #expect(try JSON(decoding: first)["params"]?["token"]?.string == "abc")
            #expect(fixture.exchange.sent.filter { $0.path == "/0/private/GetWebSocketsToken" }.count == 2)
        } else {
            #expect(first != second)
            let stamp = try JSON(decoding: second)["params"]?["timestamp"]?.number?.integer(as: UInt64.self)
            // The time of the exchange: the answer's way is not added.
            #expect(try #require(stamp) <= fixture.time.now)
        }
        try await fixture.keyring.revoke(fixture.label, at: fixture.venue, now: fixture.time.clock.now())
        await #expect(throws: ExchangeError.credential(.noKey)) { _ = try await fixture.client.orderSubscription() }
    }
}
