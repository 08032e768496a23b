internal import ExchangeViews
import Files
import Foundation
import PinnedHTTP
import SecureStorage
import Terminal
import TestSupport
import Testing
import Texts
import Time

@testable import ErrorTexts
@testable import Exchange
@testable import ExchangeCredentials
@testable import ExchangeViews

@Suite("Events of a stream in words") struct StreamEventViewTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)
    private let zone = LocalTime(in: TimeZone(secondsFromGMT: 3_600) ?? .gmt)

    private func view(_ event: StreamEvent) -> StreamEventView { StreamEventView(event, now: now, zone: zone) }

    private func json(_ event: StreamEvent) throws -> [String: String] {
        let data = try JSONEncoder().encode(view(event))
        let members = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return try #require(members).mapValues { "\($0)" }
    }

    private func report(_ status: OrderReport.Status = .open) throws -> OrderReport {
        OrderReport(
            exchangeID: "O-1", clientID: try ClientOrderID("9c1d0b0e-7a53-4f0e-9a39-000000000000"),
            symbol: try TradingSymbol("BTC/USD", on: .kraken), side: .buy, amount: try Quantity("1.5", for: .amount),
            price: try Quantity("30000", for: .price), status: status, filled: try Quantity("0.5", for: .amount),
            tradePrice: try Quantity("29999", for: .price), tradeAmount: try Quantity("0.5", for: .amount), time: now)
    }

    @Test("a gap is told in words: the times, the reason, what may be missing, and what happens next")
    func gap() throws {
        func text(_ feed: StreamFeed) -> String {
            view(.gap(StreamGap(feed: feed, reason: .silent, from: now, to: now.adding(.seconds(65))))).text
        }
        #expect(
            text(.orders) == "23:13:20  orders: GAP: the stream was interrupted from 23:13:20 to 23:14:25, because the "
                + "exchange was silent; events in between may be missing; the orders are looked up again")
        #expect(text(.market).hasSuffix("events in between may be missing"))
        let json = try json(.gap(StreamGap(feed: .orders, reason: .reader, from: now, to: now.adding(.seconds(65)))))
        #expect(
            json == [
                "event": "gap", "feed": "orders", "reason": "reader", "from": "2023-11-14T22:13:20Z",
                "to": "2023-11-14T22:14:25Z", "time": "2023-11-14T22:13:20Z",
            ])
    }

    @Test("an order is told with its terms, its trade, and its place in the journal")
    func order() throws {
        #expect(
            view(.order(try report(.partlyFilled), .noted)).text
                == "23:13:20  order 9c1d0b0e-7a53-4f0e-9a39-000000000000: filled in part; buy 1.5 of BTC/USD at 30000; "
                + "0.5 traded at 29999; filled 0.5")
        #expect(view(.order(try report(), .foreign)).text.hasSuffix("(not in this machine's journal)"))
        #expect(view(.order(try report(), .otherTerms)).text.contains("WARNING"))
        let failed = view(.order(try report(), .failed(.state(.storage(.diskFull))))).text
        #expect(failed.contains("not noted in the journal: ") && !failed.contains("diskFull"))
        let json = try json(.order(try report(.cancelled), .noted))
        #expect(json["status"] == "cancelled" && json["journal"] == "noted" && json["order"] == "O-1")
        #expect(json["amount"] == "1.5" && json["trade_price"] == "29999" && json["error"] == nil)
    }

    @Test(
        "an order that was looked up is told with its state",
        arguments: [
            (OrderOutcome.absent, "absent"), (.unknown(.notAnswered), "unknown"), (.notSent(nil), "not_sent"),
            (.refused(Refusal(reason: .funds, code: "x")), "refused"),
        ])
    func lookedUp(outcome: OrderOutcome, word: String) throws {
        let order = try Order(
            .sell, Quantity("2", for: .amount), of: TradingSymbol("XBTUSD", on: .kraken), .market)
        let entry = JournalEntry(
            id: try ClientOrderID("9c1d0b0e-7a53-4f0e-9a39-000000000000"), order: order, created: now, deadline: now,
            state: .open)
        #expect(try json(.lookedUp(entry, outcome))["status"] == word)
        #expect(view(.lookedUp(entry, outcome)).text.hasSuffix("; sell 2 of XBTUSD at the best price"))
    }

    @Test("every event is one line without a control character, in text and in JSON")
    func lines() throws {
        let price = try Quantity("1", for: .price)
        let symbol = try TradingSymbol("BTCUSDT", on: .binance)
        let closed = ExchangeError.transport(HTTPFailure(.closed, mayHaveArrived: false))
        var events: [StreamEvent] = [
            .quote(Quote(symbol: symbol, bid: price, bidAmount: price, ask: price, askAmount: price)),
            .trade(MarketTrade(symbol: symbol, price: price, amount: price, side: .buy, time: nil)),
            .subscribed(.market), .interrupted(.orders, .pins, since: now),
            .waiting(.market, closed, pause: Timestamp.Span(milliseconds: 1_001)),
            .lookupFailed(closed), .unreadable(.market, count: 1), .unreadable(.orders, count: 2),
        ]
        for status in [OrderReport.Status.open, .partlyFilled, .filled, .cancelled, .expired, .rejected, .other] {
            events.append(.order(try report(status), .notPlaced))
        }
        for reason in [StreamGap.Reason.ended, .broken, .silent, .pins, .numbers, .reader] {
            events.append(.gap(StreamGap(feed: .market, reason: reason, from: now, to: now)))
        }
        for event in events {
            let json = String(decoding: try JSONEncoder().encode(view(event)), as: UTF8.self)
            for line in [view(event).text, json] {
                #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
            }
            #expect(try self.json(event)["event"]?.isEmpty == false)
        }
        #expect(
            view(.waiting(.market, closed, pause: Timestamp.Span(milliseconds: 1_001))).text.hasSuffix(
                "; another attempt in 2 s"))
    }
}
