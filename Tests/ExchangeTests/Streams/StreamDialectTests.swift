import Crypto
import Encoding
import ExchangeCredentials
import ExchangeTestSupport
import Foundation
import SecretStoreTestSupport
import Secrets
import Testing
import Time

@testable import Exchange

@Suite("The messages of streams") struct StreamDialectTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func quantity(_ text: String) throws -> Quantity { try Quantity(text, for: .amount) }

    // MARK: Requests

    @Test("a subscription has the documented form")
    func subscriptions() throws {
        let binance = [try TradingSymbol("BTCUSDT", on: .binance), try TradingSymbol("1INCHUSDT", on: .binance)]
        #expect(
            BinanceStream().subscription(to: binance) == [
                #"{"method":"SUBSCRIBE","params":["btcusdt@bookTicker","btcusdt@trade","1inchusdt@bookTicker","#
                    + #""1inchusdt@trade"],"id":1}"#
            ])
        let kraken = [try TradingSymbol("BTC/USD", on: .kraken)]
        #expect(
            KrakenStream().subscription(to: kraken) == [
                #"{"method":"subscribe","params":{"channel":"ticker","symbol":["BTC/USD"],"event_trigger":"bbo"}}"#,
                #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"],"snapshot":false}}"#,
            ])
        #expect(KrakenStream().confirmations(of: kraken) == 2)
        #expect(
            KrakenStream().orderSubscription(token: "t/+=")
                == #"{"method":"subscribe","params":{"channel":"executions","token":"t/+=","snap_orders":true,"#
                + #""snap_trades":false}}"#)
    }

    @Test("Binance's subscription to orders is signed over its parameters in the order of their names")
    func signature() throws {
        let credential = try ExchangeCredential(
            key: APIKey(DocumentedKeys.binanceKey, of: .binance),
            secret: SigningSecret(reading: secret(DocumentedKeys.binanceSecret), of: .binance), passphrase: nil,
            created: now)
        let text = BinanceStream().orderSubscription(
            by: credential, stamp: Stamp(time: now, window: .seconds(5), nonce: 0))
        let json = try JSON(decoding: text)
        #expect(json["method"]?.string == "userDataStream.subscribe.signature")
        let payload = "apiKey=\(DocumentedKeys.binanceKey)&recvWindow=5000&timestamp=1700000000000"
        let key = SymmetricKey(data: Data(DocumentedKeys.binanceSecret.utf8))
        let expected = HMAC<SHA256>.authenticationCode(for: Data(payload.utf8), using: key)
        #expect(json["params"]?["signature"]?.string == Hex.encode(Array(expected)))
        #expect(json["params"]?["timestamp"]?.number?.text == "1700000000000")
    }

    @Test("the servers are those of the documentation, with TLS")
    func addresses() {
        let addresses = Venue.allCases.flatMap { venue in
            StreamFeed.allCases.map { feed in
                let address = venue.streamDialect.address(of: feed)
                return "\(address.origin)\(address.path)"
            }
        }
        #expect(
            addresses == [
                "https://stream.binance.com:9443/ws", "https://ws-api.binance.com/ws-api/v3",
                "https://ws.kraken.com/v2", "https://ws-auth.kraken.com/v2",
            ])
    }

    @Test("a token with other characters than visible ASCII, or too many, is refused")
    func tokens() {
        func token(_ text: String) -> String? { KrakenStream().token(in: ["token": .string(text)]) }
        #expect(token("1Dwc4lzSwNWOAwkMdqhssNNFhs1ed606d1WcF3XfEMw") != nil)
        for text in ["", "a b", "a\u{1B}", "ä", String(repeating: "a", count: 257)] { #expect(token(text) == nil) }
    }

    // MARK: Messages

    @Test("the documented prices are read exactly, also with an exponent")
    func prices() throws {
        guard case .quotes(let binance) = BinanceStream().read(StreamSamples.binanceQuote, now: now),
            case .quotes(let kraken) = KrakenStream().read(StreamSamples.krakenTicker, now: now)
        else {
            Issue.record("not read")
            return
        }
        #expect(
            binance == [
                Quote(
                    symbol: try TradingSymbol("BNBUSDT", on: .binance), bid: try quantity("25.3519"),
                    bidAmount: try quantity("31.21"), ask: try quantity("25.3652"), askAmount: try quantity("40.66"))
            ])
        #expect(
            kraken == [
                Quote(
                    symbol: try TradingSymbol("ALGO/USD", on: .kraken), bid: try quantity("0.10025"),
                    bidAmount: try quantity("740"), ask: try quantity("0.10036"), askAmount: try quantity("1361"))
            ])
    }

    @Test("the documented trades are read, with the side of the second order")
    func trades() throws {
        guard case .trades(let binance) = BinanceStream().read(StreamSamples.binanceTrade, now: now),
            case .trades(let kraken) = KrakenStream().read(StreamSamples.krakenTrade, now: now)
        else {
            Issue.record("not read")
            return
        }
        #expect(binance.first?.side == .sell && binance.first?.time == Timestamp(milliseconds: 1_672_515_782_136))
        #expect(try kraken.first?.amount == quantity("0.00004") && kraken.first?.side == .sell)
        #expect(kraken.first?.time == Timestamp(milliseconds: 1_695_628_177_708))
    }

    @Test("a report of Binance is read; a cancellation is about the order of the original name")
    func binanceReport() throws {
        let (id, other) = (ClientOrderID(random: SystemRandom()), ClientOrderID(random: SystemRandom()))
        func report(_ text: String) -> OrderReport? {
            guard case .orders(let reports, nil) = BinanceStream().read(text, now: now) else { return nil }
            return reports.first
        }
        let traded = try #require(report(StreamSamples.binanceReport(id.description)))
        #expect(traded.clientID == id && traded.exchangeID == "4293153" && traded.status == .partlyFilled)
        #expect(try traded.filled == quantity("0.5") && traded.tradePrice == quantity("37500"))
        let cancelled = StreamSamples.binanceReport(other.description, original: id.description, state: "CANCELED")
        #expect(report(cancelled)?.clientID == id && report(cancelled)?.status == .cancelled)
        #expect(report(StreamSamples.binanceReport("web_1"))?.clientID == nil)
    }

    @Test(
        "the states of both exchanges have the same meaning",
        arguments: [
            ("NEW", "new", OrderReport.Status.open), ("PARTIALLY_FILLED", "partially_filled", .partlyFilled),
            ("FILLED", "filled", .filled), ("CANCELED", "canceled", .cancelled), ("EXPIRED", "expired", .expired),
            ("REJECTED", "rejected", .rejected), ("FUTURE", "future", .other),
        ])
    func states(binance: String, kraken: String, status: OrderReport.Status) throws {
        let text = StreamSamples.binanceReport("web_1", state: binance)
        guard case .orders(let reports, _) = BinanceStream().read(text, now: now) else {
            Issue.record("not read")
            return
        }
        #expect(reports.first?.status == status)
        let other = StreamSamples.krakenNew("web").replacing(
            #""order_status":"new""#, with: #""order_status":"\#(kraken)""#)
        guard case .orders(let reports, 1) = KrakenStream().read(other, now: now) else {
            Issue.record("not read")
            return
        }
        #expect(reports.first?.status == status)
    }

    @Test("a refused subscription is told apart from one that may succeed later")
    func refusals() {
        func binance(_ text: String) -> StreamMessage { BinanceStream().read(text, now: now) }
        func kraken(_ error: String) -> StreamMessage {
            KrakenStream().read(#"{"method":"subscribe","success":false,"error":"\#(error)"}"#, now: now)
        }
        guard
            case .failed(.refused(let signature)) = binance(
                #"{"id":1,"status":400,"error":{"code":-1022,"msg":"x"}}"#),
            case .failed(.clock) = binance(#"{"id":1,"status":400,"error":{"code":-1021,"msg":"x"}}"#),
            case .failed(.wait) = binance(#"{"id":1,"status":429,"error":{"code":-1003,"msg":"x"}}"#),
            case .failed(.refused) = binance(#"{"code":2,"msg":"x","id":1}"#),
            case .failed(.refused(let market)) = kraken("Currency pair not supported XBTUSD"),
            case .failed(.unclear) = kraken("ESession:Invalid session"),
            case .failed(.refused(let right)) = kraken("EGeneral:Permission denied")
        else {
            Issue.record("another meaning")
            return
        }
        #expect(signature.reason == .signature && market.reason == .symbol && right.reason == .keyOrAddressOrRight)
    }

    @Test(
        "a message without the documented form is unreadable",
        arguments: [
            "", "x", "[]", "{}", "null", #"{"channel":"ticker"}"#, #"{"channel":"ticker","data":{}}"#,
            #"{"channel":"ticker","data":[{"symbol":"BTC/USD"}]}"#, #"{"channel":"new"}"#, #"{"e":"new"}"#,
            #"{"s":"BTCUSDT","b":"1","B":"1","a":"1"}"#, #"{"s":"BTCUSDT","b":"-1","B":"1","a":"1","A":"1"}"#,
            #"{"s":"\u001b[2J","b":"1","B":"1","a":"1","A":"1"}"#, #"{"event":{"e":"executionReport"}}"#,
            #"{"channel":"executions","data":[]}"#,
            #"{"channel":"executions","data":[{"order_id":"\u001b","exec_type":"new"}],"sequence":1}"#,
            #"{"channel":"ticker","data":[{"symbol":"A/B","bid":1e41,"bid_qty":1,"ask":1,"ask_qty":1}]}"#,
            #"{"a":[[[[[[[[[[[[]]]]]]]]]]]]}"#, String(repeating: " ", count: ExchangeLimits.streamMessageBytes) + "{}",
        ])
    func unreadable(text: String) {
        for dialect in [BinanceStream() as any StreamDialect, KrakenStream()] {
            guard case .unreadable = dialect.read(text, now: now) else {
                Issue.record("\(dialect) reads it")
                continue
            }
        }
    }

    @Test("a documented message beyond the limits of size and depth is unreadable")
    func limits() {
        func isRead(_ text: String) -> Bool {
            if case .quotes = BinanceStream().read(text, now: now) { true } else { false }
        }
        func nested(_ lists: Int) -> String {
            let member = String(repeating: "[", count: lists) + String(repeating: "]", count: lists)
            return StreamSamples.binanceQuote.replacing(#"{"u""#, with: #"{"x":\#(member),"u""#)
        }
        #expect(isRead(nested(ExchangeLimits.streamMessageDepth - 2)))
        #expect(!isRead(nested(ExchangeLimits.streamMessageDepth + 1)))
        let room = ExchangeLimits.streamMessageBytes - StreamSamples.binanceQuote.utf8.count
        #expect(isRead(String(repeating: " ", count: room) + StreamSamples.binanceQuote))
        #expect(!isRead(String(repeating: " ", count: room + 1) + StreamSamples.binanceQuote))
    }

    @Test("a list with more entries than the limit is unreadable")
    func entries() {
        let entry = #"{"symbol":"A/B","bid":1,"bid_qty":1,"ask":1,"ask_qty":1}"#
        func message(_ count: Int) -> StreamMessage {
            let list = Array(repeating: entry, count: count).joined(separator: ",")
            return KrakenStream().read(#"{"channel":"ticker","data":[\#(list)]}"#, now: now)
        }
        guard case .quotes = message(ExchangeLimits.streamEntries),
            case .unreadable = message(ExchangeLimits.streamEntries + 1)
        else {
            Issue.record("another limit")
            return
        }
    }

    @Test(
        "a number with an exponent is the same number without it",
        arguments: [
            ("1e0", "1"), ("1.5e3", "1500"), ("1.5E+1", "15"), ("1e-05", "0.00001"), ("12.34e-3", "0.01234"),
            ("0e5", "0"), ("1.230", "1.23"), ("100e-2", "1"),
        ])
    func numbers(text: String, value: String) throws {
        #expect(Quantity(number: try JSON.Number(text))?.description == value)
    }

    @Test(
        "a number that is negative, too large or too fine is refused",
        arguments: [
            "-1", "-1e-5", "1e16", "1e-19", "1e999999999999", "1e-999999999999",
        ])
    func badNumbers(text: String) throws { #expect(Quantity(number: try JSON.Number(text)) == nil) }
}
