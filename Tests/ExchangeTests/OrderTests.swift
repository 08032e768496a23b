import ExchangeCredentials
import Files
import Foundation
import PinnedHTTP
import Secrets
import SecureStorage
import Testing
import Time

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]
private let plain: [ExchangeFixture.Kind] = [.binanceHMAC, .kraken]

extension OrderOutcome {
    fileprivate var evidence: Evidence? { if case .placed(_, let evidence) = self { evidence } else { nil } }
}

@Suite struct OrderTests {
    @Test(
        "an order is placed once, with the client's id, and is in the journal before it is sent",
        arguments: ExchangeFixture.Kind.allCases)
    func placed(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, id) = (try fixture.order(), fixture.newID())
        fixture.exchange.onArrival { sent in
            guard sent.path == fixture.exchange.orderPath, sent.method == "POST" else { return }
            let known = try? OrderJournal(decoding: (fixture.files as? MemoryFiles)?.file(".orders") ?? [])
            #expect(known?[id]?.isOpen == true, "the order was sent before it was in the journal")
        }
        let outcome = try await fixture.client.place(order, as: id)
        #expect(outcome.evidence == .answer)
        #expect(fixture.exchange.placed.map(\.clientID) == [id.description])
        #expect(fixture.exchange.placed.map(\.amount) == ["1.25"])
        #expect(try await fixture.client.unsettledOrders().isEmpty)
        let sent = try #require(fixture.exchange.orders.first)
        #expect(sent.form["price"] == "37500.5")
        #expect(sent.form["side"] == (kind == .kraken ? nil : "BUY"))
        // The parameters of an order are in its body, and not in the target, which proxies log.
        #expect(!sent.target.contains("?"))
    }

    @Test("a market order and an order that is filled at once have the documented parameters", arguments: plain)
    func kinds(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let symbol = try fixture.order().symbol
        let market = try Order(.sell, Quantity("2", for: .amount), of: symbol, .market)
        _ = try await fixture.client.place(market, as: fixture.newID())
        let now = try Order(
            .buy, Quantity("2", for: .amount), of: symbol, .limit(price: Quantity("1", for: .price), .immediateOrCancel)
        )
        _ = try await fixture.client.place(now, as: fixture.newID())
        let forms = fixture.exchange.orders.map(\.form)
        if kind == .kraken {
            #expect(forms[0]["ordertype"] == "market" && forms[0]["type"] == "sell" && forms[0]["price"] == nil)
            #expect(forms[1]["timeinforce"] == "IOC")
        } else {
            #expect(forms[0]["type"] == "MARKET" && forms[0]["side"] == "SELL" && forms[0]["price"] == nil)
            #expect(forms[1]["timeInForce"] == "IOC")
        }
    }

    @Test("a second call with the same id sends nothing and returns the first one's outcome", arguments: plain)
    func sameID(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, id) = (try fixture.order(), fixture.newID())
        _ = try await fixture.client.place(order, as: id)
        #expect(try await fixture.client.place(order, as: id).evidence == .journal)
        #expect(try await fixture.restarted().place(order, as: id).evidence == .journal)
        #expect(fixture.exchange.orders.count == 1)
        let other = try fixture.order("1.26")
        await #expect(throws: ExchangeError.idTaken) { _ = try await fixture.client.place(other, as: id) }
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("calls with one id at the same time send one order", arguments: plain)
    func concurrent(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, id) = (try fixture.order(), fixture.newID())
        let outcomes = try await withThrowingTaskGroup(of: OrderOutcome.self) { group in
            for _ in 0..<8 {
                let client = try fixture.restarted()
                group.addTask { try await client.place(order, as: id) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.mayStillAct })
        #expect(fixture.exchange.orders.count == 1)
        #expect(fixture.exchange.placed.count == 1)
    }

    @Test("concurrent orders with nonces reach the exchange in the nonces' order")
    func nonces() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let order = try fixture.order()
        let outcomes = try await withThrowingTaskGroup(of: OrderOutcome.self) { group in
            for _ in 0..<8 {
                let (client, id) = (try fixture.restarted(), fixture.newID())
                group.addTask { try await client.place(order, as: id) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.evidence == .answer })
        let nonces = fixture.exchange.sent.compactMap { $0.form["nonce"].flatMap(UInt64.init) }
        #expect(nonces == nonces.sorted() && Set(nonces).count == nonces.count)
    }

    @Test(
        "a refusal is final, and is never sent again",
        arguments: [
            (.binanceHMAC, #"{"code":-2010,"msg":"Account has insufficient balance for requested action."}"#, .funds),
            (.binanceHMAC, #"{"code":-1013,"msg":"Filter failure: LOT_SIZE"}"#, .amount),
            (.binanceHMAC, #"{"code":-1013,"msg":"Filter failure: PRICE_FILTER"}"#, .price),
            (.binanceHMAC, #"{"code":-1013,"msg":"Filter failure: MAX_NUM_ORDERS"}"#, .tooManyOrders),
            (.binanceHMAC, #"{"code":-1121,"msg":"Invalid symbol."}"#, .symbol),
            (.binanceHMAC, #"{"code":-1015,"msg":"Too many new orders."}"#, .tooManyOrders),
            (.binanceHMAC, #"{"code":-1022,"msg":"Signature for this request is not valid."}"#, .signature),
            (
                .binanceHMAC, #"{"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}"#,
                .keyOrAddressOrRight
            ),
            (.kraken, #"{"error":["EOrder:Insufficient funds"]}"#, .funds),
            (.kraken, #"{"error":["EQuery:Unknown asset pair"]}"#, .symbol),
            (.kraken, #"{"error":["EOrder:Order minimum not met"]}"#, .amount),
            (.kraken, #"{"error":["EGeneral:Invalid arguments:volume"]}"#, .parameter),
            (.kraken, #"{"error":["EService:Deadline elapsed"]}"#, .time),
            (.kraken, #"{"error":["EAPI:Invalid signature"]}"#, .signature),
            (.kraken, #"{"error":["EAPI:Invalid nonce"]}"#, .nonce),
            (.kraken, #"{"error":["EOrder:Something new"]}"#, .other),
        ] as [(ExchangeFixture.Kind, String, Refusal.Reason)])
    func refused(kind: ExchangeFixture.Kind, body: String, reason: Refusal.Reason) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.answerInstead(status: kind == .kraken ? 200 : 400, body: body, headers: json))
        let (order, id) = (try fixture.order(), fixture.newID())
        guard case .refused(let refusal) = try await fixture.client.place(order, as: id) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.reason == reason)
        #expect(fixture.exchange.orders.count == 1)
        #expect(try await fixture.restarted().place(order, as: id) == .refused(refusal))
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("a request that never left is not sent, without a query, and its id may be sent", arguments: plain)
    func notSent(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.notConnected, .notConnected)
        let (order, id) = (try fixture.order(), fixture.newID())
        #expect(try await fixture.client.place(order, as: id) == .notSent(.notConnected))
        #expect(try await fixture.restarted().place(order, as: id) == .notSent(.notConnected))
        #expect(fixture.exchange.orders.isEmpty)
        let other = try fixture.order("1.26")
        await #expect(throws: ExchangeError.idTaken) { _ = try await fixture.client.place(other, as: id) }
        #expect(try await fixture.restarted().place(order, as: id).evidence == .answer)
        #expect(try await fixture.restarted().place(order, as: id).evidence == .journal)
        #expect(fixture.exchange.orders.count == 1 && fixture.exchange.placed.count == 1)
    }

    @Test("calls at the same time with the id of an order that was not sent send one order", arguments: plain)
    func concurrentAttempts(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, id) = (try fixture.order(), fixture.newID())
        fixture.exchange.next(.notConnected)
        #expect(try await fixture.client.place(order, as: id) == .notSent(.notConnected))
        let outcomes = try await withThrowingTaskGroup(of: OrderOutcome.self) { group in
            for _ in 0..<8 {
                let client = try fixture.restarted()
                group.addTask { try await client.place(order, as: id) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.mayStillAct })
        #expect(fixture.exchange.orders.count == 1 && fixture.exchange.placed.count == 1)
    }

    @Test("a pause instead of an answer means that the order was not accepted", arguments: plain)
    func pause(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.answerInstead(status: 429, body: "", headers: [HTTPHeader("Retry-After", "5")]))
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        guard case .mustWait(let wait) = outcome else { Issue.record("\(outcome)"); return }
        #expect(wait.until.milliseconds == fixture.time.now + 5_000)
        #expect(!outcome.mayStillAct)
        #expect(try await fixture.client.unsettledOrders().isEmpty)
    }

    @Test("after the pause the same id is placed, once", arguments: plain)
    func afterPause(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, id) = (try fixture.order(), fixture.newID())
        fixture.exchange.next(.answerInstead(status: 429, body: "", headers: [HTTPHeader("Retry-After", "5")]))
        guard case .mustWait = try await fixture.client.place(order, as: id) else { Issue.record("no pause"); return }
        await #expect(throws: ExchangeError.self) { _ = try await fixture.restarted().place(order, as: id) }
        #expect(fixture.exchange.orders.count == 1)
        fixture.time.pass(6_000)
        #expect(try await fixture.restarted().place(order, as: id).evidence == .answer)
        #expect(try await fixture.restarted().place(order, as: id).evidence == .journal)
        #expect(fixture.exchange.orders.count == 2 && fixture.exchange.placed.count == 1)
    }

    @Test("a full disk refuses the order before it is sent", arguments: plain)
    func fullDisk(kind: ExchangeFixture.Kind) async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(kind, files: files)
        for write in 1...10 { files.fail(at: write, .full) }
        await #expect(throws: ExchangeError.state(.storage(.diskFull))) {
            _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        }
        #expect(fixture.exchange.orders.isEmpty)
        // The nonce can be written, and the journal cannot.
        if kind == .kraken {
            files.revive()
            files.fail(at: files.writes + 2, .full)
            await #expect(throws: ExchangeError.state(.storage(.diskFull))) {
                _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
            }
            #expect(fixture.exchange.orders.isEmpty)
        }
    }

    @Test("a journal full of open orders refuses another one before it is sent")
    func fullJournal() async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(files: files)
        _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        var journal = OrderJournal()
        journal.generation = 2
        for _ in 0..<ExchangeLimits.journalOrders {
            try journal.add(
                JournalEntry(
                    id: fixture.newID(), order: fixture.order(), created: Timestamp(milliseconds: 0),
                    deadline: Timestamp(milliseconds: 0), state: .open))
        }
        files.replace(".orders", with: journal.encoded)
        await #expect(throws: ExchangeError.state(.journalFull)) {
            _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        }
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("an order for another exchange is refused")
    func otherVenue() async throws {
        let fixture = try await ExchangeFixture()
        let order = try Order(.buy, Quantity("1", for: .amount), of: TradingSymbol("XBTUSD", on: .kraken), .market)
        await #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.kraken))) {
            _ = try await fixture.client.place(order, as: fixture.newID())
        }
        await #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.kraken))) {
            _ = try await fixture.client.test(order)
        }
    }
}

@Suite struct ReconciliationTests {
    /// The ways in which an order takes effect and its answer is lost.
    static let lost: [FakeExchange.Trouble] = [
        .cutAfter, .timeOut, .huge, .answerAfter(status: 500, body: "", headers: []),
        .answerAfter(status: 502, body: "<html>bad gateway</html>", headers: [HTTPHeader("Content-Type", "text/html")]),
        .answerAfter(status: 503, body: #"{"code":-1008,"msg":"busy"}"#, headers: json),
        .answerAfter(
            status: 400, body: #"{"code":-1007,"msg":"Timeout waiting for response from backend server."}"#,
            headers: json),
        .answerAfter(status: 400, body: #"{"code":-1006,"msg":"x"}"#, headers: json),
        .answerAfter(status: 200, body: "", headers: json),
        .answerAfter(status: 200, body: #"{"orderId":"#, headers: json),
        .answerAfter(status: 200, body: "[]", headers: json), .answerAfter(status: 200, body: "{}", headers: []),
        .answerAfter(status: 200, body: #"{"orderId":1,"clientOrderId":"another"}"#, headers: json),
        .answerAfter(status: 200, body: "ok", headers: [HTTPHeader("Content-Type", "text/plain")]),
        .answerAfter(status: 302, body: "", headers: [HTTPHeader("Location", "https://example.org")]),
        .answerAfter(status: 403, body: "<html>", headers: [HTTPHeader("Content-Type", "text/html")]),
        .answerAfter(status: 200, body: #"{"error":["EService:Timeout"]}"#, headers: json),
        .answerAfter(status: 200, body: #"{"error":["EGeneral:Internal error"]}"#, headers: json),
        .answerAfter(status: 200, body: #"{"error":["unknown"],"result":{"txid":["O"]}}"#, headers: json),
    ]

    @Test("after an unclear answer the order is found by its id, and is never sent again", arguments: plain, lost)
    func found(kind: ExchangeFixture.Kind, trouble: FakeExchange.Trouble) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(trouble)
        let (order, id) = (try fixture.order(), fixture.newID())
        let outcome = try await fixture.client.place(order, as: id)
        #expect(outcome.evidence == .query, "\(outcome)")
        #expect(fixture.exchange.orders.count == 1)
        #expect(fixture.exchange.placed.count == 1)
        #expect(try await fixture.restarted().reconcile(id).evidence == .journal)
    }

    @Test(
        "a request that was lost before the exchange is absent, after the window has passed on the exchange's clock",
        arguments: plain, [-3_600_000, 0, 3_600_000] as [Int64])
    func absent(kind: ExchangeFixture.Kind, ahead: Int64) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.setAhead(ahead)
        fixture.exchange.next(.cutBefore)
        let start = fixture.time.now
        let (order, id) = (try fixture.order(), fixture.newID())
        #expect(try await fixture.client.place(order, as: id) == .absent)
        #expect(fixture.time.now - start > 5_000 + ExchangeLimits.settling.milliseconds)
        // One answer may come from a replica that is behind.
        let query = kind == .kraken ? "/0/private/ClosedOrders" : "/api/v3/order"
        let looks = fixture.exchange.sent.filter {
            $0.path == query && $0.at > start + 5_000 + ExchangeLimits.settling.milliseconds
        }
        #expect(looks.count >= 2)
        #expect(fixture.exchange.orders.count == 1)
        // Another call with the id does not send it either.
        #expect(try await fixture.client.place(order, as: id) == .absent)
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test(
        "\"no such order\" is not believed while the request may still arrive", arguments: plain,
        [1_000, 4_000] as [Int64])
    func late(kind: ExchangeFixture.Kind, delay: Int64) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.late(delay))
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        if kind == .kraken {
            // The query's higher nonce has overtaken the order, which the exchange then refuses.
            #expect(outcome == .absent)
            #expect(fixture.exchange.placed.isEmpty)
        } else {
            #expect(outcome.evidence == .query)
            #expect(fixture.exchange.placed.count == 1)
        }
    }

    @Test(
        "a request that arrives after its window is refused by the exchange, so that absent stays true",
        arguments: plain)
    func tooLate(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.late(5_100))
        #expect(try await fixture.client.place(fixture.order(), as: fixture.newID()) == .absent)
        fixture.time.pass(60_000)
        _ = try await fixture.client.serverTime()
        #expect(fixture.exchange.placed.isEmpty)
    }

    @Test(
        "an order that the exchange shows late is found within the time of settling", arguments: plain,
        [2_500, 6_000, 12_000] as [Int64])
    func hidden(kind: ExchangeFixture.Kind, delay: Int64) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.hidden(delay))
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(outcome.evidence == .query, "\(outcome)")
    }

    @Test("an absent order that appears after all is found by another look, and is not sent", arguments: plain)
    func veryLate(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.next(.hidden(60_000))
        let (order, id) = (try fixture.order(), fixture.newID())
        #expect(try await fixture.client.place(order, as: id) == .absent)
        fixture.time.pass(60_000)
        #expect(try await fixture.client.place(order, as: id).evidence == .query)
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test(
        "while the exchange does not answer the queries, the outcome stays unknown, and a later look settles it",
        arguments: plain)
    func unanswered(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let query = kind == .kraken ? "POST /0/private/OpenOrders" : "GET /api/v3/order"
        fixture.exchange.next(.cutAfter)
        fixture.exchange.next(.cutBefore, .answerInstead(status: 503, body: "", headers: []), .notConnected, at: query)
        let (order, id) = (try fixture.order(), fixture.newID())
        let outcome = try await fixture.client.place(order, as: id)
        #expect(outcome == .unknown(.transport(.closed)))
        #expect(outcome.mayStillAct)
        #expect(try await fixture.client.unsettledOrders().map(\.id) == [id])
        #expect(try await fixture.restarted().reconcile(id).evidence == .query)
        #expect(try await fixture.client.unsettledOrders().isEmpty)
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("a ban during a reconciliation ends it, and nothing more is sent")
    func banned() async throws {
        let fixture = try await ExchangeFixture()
        fixture.exchange.next(.cutAfter)
        fixture.exchange.next(.answerInstead(status: 418, body: "", headers: []), at: "GET /api/v3/order")
        let id = fixture.newID()
        #expect(try await fixture.client.place(fixture.order(), as: id) == .unknown(.transport(.closed)))
        let count = fixture.exchange.sent.count
        #expect(try await fixture.client.reconcile(id) == .unknown(.notAnswered))
        #expect(fixture.exchange.sent.count == count)
    }

    @Test("an order under the same id with other terms is not taken for ours", arguments: plain)
    func otherTerms(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let id = fixture.newID()
        let order = try fixture.order("9")
        _ = try await fixture.client.place(order, as: id)
        for terms in [
            try fixture.order("1"), try fixture.order("9", side: .sell),
            try Order(order.side, order.amount, of: order.symbol, .market),
            try Order(order.side, order.amount, of: order.symbol, .limit(price: order.amount, .untilCancelled)),
        ] {
            // Another machine has the same id and no journal. Its requests have higher nonces.
            fixture.time.pass(1)
            let other = try fixture.restarted(with: MemoryFiles())
            #expect(try await other.place(terms, as: id) == .unknown(.otherTerms), "\(terms)")
        }
        // With the same terms it is the duplicate that the exchange refused: one order, which is found.
        #expect(try await fixture.restarted().place(fixture.order("9"), as: id).evidence == .journal)
        #expect(fixture.exchange.placed.count == 1)
    }

    @Test("an answer to an order with another kind or limit is not believed: the order is looked for")
    func answerWithOtherTerms() async throws {
        for terms in [#""type":"MARKET","price":"37500.5""#, #""type":"LIMIT","price":"999999""#] {
            let fixture = try await ExchangeFixture()
            let id = fixture.newID()
            let text =
                #"{"symbol":"BTCUSDT","orderId":28,"clientOrderId":"\#(id)","origQty":"1.25","executedQty":"0","#
                + #""status":"NEW","side":"BUY",\#(terms)}"#
            fixture.exchange.next(.answerAfter(status: 200, body: text, headers: json))
            #expect(try await fixture.client.place(fixture.order(), as: id).evidence == .query)
        }
    }

    @Test("a duplicate at the exchange is looked up, not reported as a refusal", arguments: plain)
    func duplicate(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await ExchangeFixture(kind)
        let (order, id) = (try fixture.order(), fixture.newID())
        _ = try await fixture.client.place(order, as: id)
        let other = try fixture.restarted(with: MemoryFiles())
        fixture.time.pass(10_000)
        #expect(try await other.place(order, as: id).evidence == .query)
        #expect(fixture.exchange.placed.count == 1)
    }

    @Test("an order that the engine rejects after all is refused, by the answer and by the query")
    func rejectedByEngine() async throws {
        let fixture = try await ExchangeFixture()
        let (order, id) = (try fixture.order(), fixture.newID())
        let text = """
            {"symbol":"BTCUSDT","orderId":28,"clientOrderId":"\(id)","origQty":"1.25","executedQty":"0","status":"REJECTED",\
            "side":"BUY","type":"LIMIT","price":"37500.50000000"}
            """
        fixture.exchange.next(.answerInstead(status: 200, body: text, headers: json))
        fixture.exchange.next(.answerInstead(status: 200, body: text, headers: json), at: "GET /api/v3/order")
        let outcome = try await fixture.client.place(order, as: id)
        #expect(outcome == .refused(Refusal(reason: .other, code: "REJECTED")))
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("of several errors, one that leaves the outcome open decides")
    func severalErrors() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let body = #"{"error":["EGeneral:Invalid arguments","EService:Timeout","WDatabase:Slow"]}"#
        fixture.exchange.next(.answerAfter(status: 200, body: body, headers: json))
        guard case .placed(_, .query) = try await fixture.client.place(fixture.order(), as: fixture.newID()) else {
            Issue.record("not looked up")
            return
        }
        let warning = #"{"error":["WDatabase:Slow"],"result":{"txid":["OAAAAA-BBBBB-CCCCCC"]}}"#
        fixture.exchange.next(.answerInstead(status: 200, body: warning, headers: json))
        guard case .placed(_, .answer) = try await fixture.client.place(fixture.order(), as: fixture.newID()) else {
            Issue.record("a warning is not an error")
            return
        }
    }

    @Test("an exchange that ignores the id in a query proves nothing")
    func ignoredFilter() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        fixture.exchange.ignoreFilter()
        fixture.exchange.next(.cutBefore)
        let outcome = try await fixture.client.place(fixture.order("7"), as: fixture.newID())
        #expect(outcome == .unknown(.transport(.closed)))
    }

    @Test("an order that the journal does not have is not looked for")
    func unknownOrder() async throws {
        let fixture = try await ExchangeFixture()
        await #expect(throws: ExchangeError.unknownOrder) { _ = try await fixture.client.reconcile(fixture.newID()) }
        let placed = try #require(PlacedOrder(id: fixture.newID(), exchangeID: "28", status: .open, filled: nil))
        await #expect(throws: ExchangeError.unknownOrder) { try await fixture.client.observe(placed) }
    }

    @Test("a refusal for the time is repeated once, with a new time and the clock measured again")
    func clock() async throws {
        let fixture = try await ExchangeFixture()
        _ = try await fixture.client.serverTime()
        fixture.exchange.setAhead(8_000)
        let outcome = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(outcome.evidence == .answer)
        #expect(fixture.exchange.orders.count == 2)
        #expect(fixture.exchange.placed.count == 1)

        for _ in 0..<3 {
            fixture.exchange.next(.answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json))
        }
        let again = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(again == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(fixture.exchange.orders.count == 4)
    }

    @Test("the deadline in the journal is the later one of two attempts")
    func deadlines() async throws {
        let fixture = try await ExchangeFixture()
        _ = try await fixture.client.serverTime()
        fixture.exchange.setAhead(8_000)
        fixture.exchange.next(
            .answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json), .cutBefore)
        let id = fixture.newID()
        let start = fixture.time.now
        #expect(try await fixture.client.place(fixture.order(), as: id) == .absent)
        #expect(fixture.time.now - start > 5_000 + ExchangeLimits.settling.milliseconds)
        let entry = try #require(try await fixture.client.journal().first { $0.id == id })
        #expect(entry.deadline.milliseconds >= start + 8_000 + 5_000)
    }

    @Test("if the second attempt cannot be made, the first one's refusal is the outcome", arguments: [true, false])
    func halfClock(isCut: Bool) async throws {
        let fixture = try await ExchangeFixture()
        _ = try await fixture.client.serverTime()
        fixture.exchange.next(.answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json))
        fixture.exchange.next(
            isCut ? .cutBefore : .answerInstead(status: 418, body: "", headers: []), at: "GET /api/v3/time")
        let id = fixture.newID()
        #expect(
            try await fixture.client.place(fixture.order(), as: id) == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(try await fixture.client.unsettledOrders().isEmpty)
        #expect(fixture.exchange.orders.count == 1)
    }
}
