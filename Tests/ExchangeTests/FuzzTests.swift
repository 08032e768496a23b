import Encoding
import ExchangeCredentials
import ExchangeTestSupport
import PinnedHTTP
internal import PinnedWebSockets
import SecretStoreTestSupport
import Secrets
import TestSupport
import Testing
import Time

@testable import Exchange

/// The decoders of this library on changed inputs: the fuzzer of Fuzz is built without the network that PinnedHTTP
/// needs.
@Suite("Fuzzing") struct FuzzTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func journal() throws -> OrderJournal {
        var journal = OrderJournal()
        let random = SeededRandom(seed: 5)
        let states: [JournalEntry.State] = [
            .open, .placed(exchangeID: "O-1"), .refused(Refusal(reason: .funds, code: "-2010")), .absent, .notSent,
        ]
        for state in states {
            let symbol = try TradingSymbol("BTCUSDT", on: .binance)
            let kind: Order.Kind =
                state == .open
                ? .market : .limit(price: try Quantity("0.5", for: .price), .untilCancelled)
            try journal.add(
                JournalEntry(
                    id: ClientOrderID(random: random),
                    order: try Order(.buy, Quantity("1.25", for: .amount), of: symbol, kind), created: now,
                    deadline: now,
                    state: state))
        }
        return journal
    }

    /// Puts the right checksum behind a changed content, so that the rest is read.
    private func framed(_ bytes: [UInt8], _ file: StateFile) -> [UInt8] { StateEnvelope.encode(bytes, of: file) }

    private func content(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropFirst(9).dropLast(32)) }

    @Test("an accepted state file is written with the same bytes")
    func files() throws {
        Fuzz.roundTrips(
            of: [try journal().encoded, OrderJournal().encoded], iterations: 2_000,
            decode: { try OrderJournal(decoding: $0) }, encode: { $0.encoded })
        let accepted = Fuzz.roundTrips(
            of: [content(try journal().encoded)], iterations: 10_000,
            decode: { try OrderJournal(decoding: framed($0, .journal)) }, encode: { content($0.encoded) })
        #expect(accepted > 0.001)
        var nonce = NonceRecord()
        _ = try nonce.draw(now: now)
        Fuzz.roundTrips(
            of: [content(nonce.encoded)], iterations: 2_000,
            decode: { try NonceRecord(decoding: framed($0, .nonce)) }, encode: { content($0.encoded) })
        Fuzz.roundTrips(
            of: [content(WaitRecord(.ban, for: .seconds(5), from: now).encoded)], iterations: 5_000,
            decode: { try WaitRecord(decoding: framed($0, .wait)) }, encode: { content($0.encoded) })
    }

    @Test("no answer of an exchange, whatever it contains, is taken for an order with another id")
    func answers() throws {
        let id = ClientOrderID(random: SeededRandom(seed: 9))
        let symbol = try TradingSymbol("BTCUSDT", on: .binance)
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        let order = try Order(.buy, Quantity("1.25", for: .amount), of: symbol, .market)
        let seeds = [
            #"{"symbol":"BTCUSDT","orderId":28,"clientOrderId":"\#(id)","origQty":"1.25","executedQty":"0","status":"NEW","type":"MARKET","side":"BUY"}"#,
            #"{"code":-2013,"msg":"Order does not exist."}"#, #"{"code":-1003,"msg":"banned until 1700000000000."}"#,
            #"{"error":[],"result":{"open":{"OAAAAA-B":{"status":"open","cl_ord_id":"\#(id)","vol":"1.25","descr":{"type":"buy","ordertype":"market"}}}}}"#,
            #"{"error":["EOrder:Insufficient funds"]}"#, #"{"error":[],"result":{"txid":["OAAAAA-B"]}}"#,
            #"{"ipRestrict":true,"enableReading":true,"enableWithdrawals":false}"#,
            #"{"error":[],"result":{"permissions":["query-funds"],"ipAllowlist":[],"validUntil":"0"}}"#,
            #"{"error":[],"result":{"unixtime":1700000000}}"#,
            #"{"balances":[{"asset":"BTC","free":"1","locked":"0"}]}"#,
            #"[{"symbol":"BTCUSDT","orderId":28,"clientOrderId":"x","price":"1","origQty":"1","executedQty":"0","status":"NEW","type":"LIMIT","side":"BUY","time":1}]"#,
            #"{"error":[],"result":{"open":{"OA-B":{"status":"open","vol":"1","vol_exec":"0","opentm":1.5,"descr":{"pair":"XBTUSD","type":"buy","ordertype":"limit","price":"1"}}}}}"#,
            #"{"error":["EService: Throttled: [1700000000]"]}"#,
        ].map { Array($0.utf8) }
        Fuzz.mutations(of: seeds, iterations: 10_000) { bytes in
            for status in [200, 400, 418, 429, 503] {
                let response = HTTPResponse(status: status, body: bytes)
                for dialect in [BinanceDialect() as any Dialect, KrakenDialect()] {
                    let answer = dialect.answer(response, to: .find(id, symbol), now: now)
                    if case .order(let placed) = dialect.found(in: answer, id, order) {
                        #expect(placed.id == id && String(decoding: bytes, as: UTF8.self).contains(id.description))
                    }
                    guard case .success(let result) = answer else { continue }
                    _ = dialect.time(in: result)
                    _ = dialect.balances(in: result)
                    if let open = dialect.openOrders(in: result) {
                        #expect(open.orders.allSatisfy { ListedOrder.isID($0.exchangeID) })
                        for order in open.orders { _ = dialect.state(of: order, in: result) }
                    }
                    _ = dialect.rights(in: result, of: key).map { PermissionReport($0, at: .kraken, now: now) }
                    _ = dialect.placed(in: result, as: id, order)
                }
            }
        }
    }

    @Test("no message of a stream, whatever it contains, brings a control character or an order without an id")
    func streamMessages() throws {
        let id = ClientOrderID(random: SeededRandom(seed: 9))
        let seeds = [
            StreamSamples.binanceQuote, StreamSamples.binanceTrade, StreamSamples.binanceReport(id.description),
            StreamSamples.krakenTicker, StreamSamples.krakenTrade, StreamSamples.krakenNew(id.description),
            StreamSamples.krakenCancelled(), #"{"result":null,"id":1}"#,
            #"{"id":1,"status":400,"error":{"code":-1022,"msg":"x"}}"#,
            #"{"method":"subscribe","success":false,"error":"EGeneral:Permission denied"}"#,
            #"{"subscriptionId":0,"event":{"e":"eventStreamTerminated","E":1}}"#,
        ].map { Array($0.utf8) }
        let markets = [
            try TradingSymbol("BNBUSDT", on: .binance), try TradingSymbol("ALGO/USD", on: .kraken),
        ]
        var readers = StreamFeed.allCases.flatMap { feed in
            Venue.allCases.map { FeedReader(feed, $0.streamDialect, symbols: markets) }
        }
        var counts: [Int] = [0, 0, 0]
        Fuzz.mutations(of: seeds, iterations: 20_000) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            for index in readers.indices {
                for event in readers[index].read(.message(1, .text(text)), now: now) {
                    switch event {
                    case .quote(let quote):
                        #expect(markets.contains(quote.symbol))
                        counts[0] += 1
                    case .trade(let trade):
                        #expect(markets.contains(trade.symbol))
                        counts[1] += 1
                    case .order(let report, _):
                        #expect(!report.exchangeID.isEmpty && report.exchangeID.utf8.allSatisfy { $0 > 0x20 })
                        counts[2] += 1
                    case .subscribed, .interrupted, .waiting, .gap, .unreadable, .lookedUp, .lookupFailed: break
                    }
                    let controls = "\(event)".unicodeScalars.contains { $0.properties.generalCategory == .control }
                    #expect(!controls)
                }
            }
        }
        // The run reaches every kind of event.
        #expect(counts.allSatisfy { $0 > 50 }, "\(counts)")
    }

    @Test("an accepted symbol or id is printed unchanged")
    func inputs() {
        Fuzz.texts(of: ["BTCUSDT", "1INCHUSDT"]) { try TradingSymbol($0, on: .binance).text }
        Fuzz.texts(of: ["BTC/USD", "AAPLx/USD"]) { try TradingSymbol($0, on: .kraken).text }
        Fuzz.texts(of: ["9c1d0b0e-7a53-4f0e-9a39-000000000000"]) { try ClientOrderID($0).description }
    }
}
