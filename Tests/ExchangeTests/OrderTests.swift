import Foundation
import PinnedHTTP
import Secrets
import SecureStorage
import Testing

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]
private let plain: [Desk.Kind] = [.binanceHMAC, .kraken]

extension OrderOutcome {
    fileprivate var evidence: Evidence? { if case .placed(_, let evidence) = self { evidence } else { nil } }
}

@Suite struct OrderTests {
    @Test(
        "an order is placed once, with the client's id, and is in the journal before it is sent",
        arguments: Desk.Kind.allCases)
    func placed(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let (order, id) = (try desk.order(), desk.newID())
        desk.exchange.onArrival { sent in
            guard sent.path == desk.exchange.orderPath, sent.method == "POST" else { return }
            let known = try? OrderJournal(decoding: (desk.files as? MemoryFiles)?.file(".orders") ?? [])
            #expect(known?[id]?.isOpen == true, "the order was sent before it was in the journal")
        }
        let outcome = try await desk.client.place(order, as: id)
        #expect(outcome.evidence == .answer)
        #expect(desk.exchange.placed.map(\.clientID) == [id.description])
        #expect(desk.exchange.placed.map(\.amount) == ["1.25"])
        #expect(try await desk.client.unsettledOrders().isEmpty)
        let sent = try #require(desk.exchange.orders.first)
        #expect(sent.form["price"] == "37500.5")
        #expect(sent.form["side"] == (kind == .kraken ? nil : "BUY"))
        // The parameters of an order are in its body, and not in the target, which proxies log.
        #expect(!sent.target.contains("?"))
    }

    @Test("a market order and an order that is filled at once have the documented parameters", arguments: plain)
    func kinds(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let symbol = try desk.order().symbol
        let market = try Order(.sell, Quantity("2", for: .amount), of: symbol, .market)
        _ = try await desk.client.place(market, as: desk.newID())
        let now = try Order(
            .buy, Quantity("2", for: .amount), of: symbol, .limit(price: Quantity("1", for: .price), .immediateOrCancel)
        )
        _ = try await desk.client.place(now, as: desk.newID())
        let forms = desk.exchange.orders.map(\.form)
        if kind == .kraken {
            #expect(forms[0]["ordertype"] == "market" && forms[0]["type"] == "sell" && forms[0]["price"] == nil)
            #expect(forms[1]["timeinforce"] == "IOC")
        } else {
            #expect(forms[0]["type"] == "MARKET" && forms[0]["side"] == "SELL" && forms[0]["price"] == nil)
            #expect(forms[1]["timeInForce"] == "IOC")
        }
    }

    @Test("a second call with the same id sends nothing and returns the first one's outcome", arguments: plain)
    func sameID(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let (order, id) = (try desk.order(), desk.newID())
        _ = try await desk.client.place(order, as: id)
        #expect(try await desk.client.place(order, as: id).evidence == .journal)
        #expect(try await desk.restarted().place(order, as: id).evidence == .journal)
        #expect(desk.exchange.orders.count == 1)
        let other = try desk.order("1.26")
        await #expect(throws: ExchangeError.idTaken) { _ = try await desk.client.place(other, as: id) }
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("calls with one id at the same time send one order", arguments: plain)
    func concurrent(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let (order, id) = (try desk.order(), desk.newID())
        let outcomes = try await withThrowingTaskGroup(of: OrderOutcome.self) { group in
            for _ in 0..<8 {
                let client = try desk.restarted()
                group.addTask { try await client.place(order, as: id) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.mayStillAct })
        #expect(desk.exchange.orders.count == 1)
        #expect(desk.exchange.placed.count == 1)
    }

    @Test("concurrent orders with nonces reach the exchange in the nonces' order")
    func nonces() async throws {
        let desk = try await Desk(.kraken)
        let order = try desk.order()
        let outcomes = try await withThrowingTaskGroup(of: OrderOutcome.self) { group in
            for _ in 0..<8 {
                let (client, id) = (try desk.restarted(), desk.newID())
                group.addTask { try await client.place(order, as: id) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.evidence == .answer })
        let nonces = desk.exchange.sent.compactMap { $0.form["nonce"].flatMap(UInt64.init) }
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
        ] as [(Desk.Kind, String, Refusal.Reason)])
    func refused(kind: Desk.Kind, body: String, reason: Refusal.Reason) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.answerInstead(status: kind == .kraken ? 200 : 400, body: body, headers: json))
        let (order, id) = (try desk.order(), desk.newID())
        guard case .refused(let refusal) = try await desk.client.place(order, as: id) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.reason == reason)
        #expect(desk.exchange.orders.count == 1)
        #expect(try await desk.restarted().place(order, as: id) == .refused(refusal))
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("a request that never left is not sent, without a query, and its id may be sent", arguments: plain)
    func notSent(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.notConnected, .notConnected)
        let (order, id) = (try desk.order(), desk.newID())
        #expect(try await desk.client.place(order, as: id) == .notSent(.notConnected))
        #expect(try await desk.restarted().place(order, as: id) == .notSent(.notConnected))
        #expect(desk.exchange.orders.isEmpty)
        let other = try desk.order("1.26")
        await #expect(throws: ExchangeError.idTaken) { _ = try await desk.client.place(other, as: id) }
        #expect(try await desk.restarted().place(order, as: id).evidence == .answer)
        #expect(try await desk.restarted().place(order, as: id).evidence == .journal)
        #expect(desk.exchange.orders.count == 1 && desk.exchange.placed.count == 1)
    }

    @Test("calls at the same time with the id of an order that was not sent send one order", arguments: plain)
    func concurrentAttempts(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let (order, id) = (try desk.order(), desk.newID())
        desk.exchange.next(.notConnected)
        #expect(try await desk.client.place(order, as: id) == .notSent(.notConnected))
        let outcomes = try await withThrowingTaskGroup(of: OrderOutcome.self) { group in
            for _ in 0..<8 {
                let client = try desk.restarted()
                group.addTask { try await client.place(order, as: id) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.mayStillAct })
        #expect(desk.exchange.orders.count == 1 && desk.exchange.placed.count == 1)
    }

    @Test("a pause instead of an answer means that the order was not accepted", arguments: plain)
    func pause(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.answerInstead(status: 429, body: "", headers: [HTTPHeader("Retry-After", "5")]))
        let outcome = try await desk.client.place(desk.order(), as: desk.newID())
        guard case .mustWait(let wait) = outcome else { Issue.record("\(outcome)"); return }
        #expect(wait.until.milliseconds == desk.time.now + 5_000)
        #expect(!outcome.mayStillAct)
        #expect(try await desk.client.unsettledOrders().isEmpty)
    }

    @Test("after the pause the same id is placed, once", arguments: plain)
    func afterPause(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let (order, id) = (try desk.order(), desk.newID())
        desk.exchange.next(.answerInstead(status: 429, body: "", headers: [HTTPHeader("Retry-After", "5")]))
        guard case .mustWait = try await desk.client.place(order, as: id) else { Issue.record("no pause"); return }
        await #expect(throws: ExchangeError.self) { _ = try await desk.restarted().place(order, as: id) }
        #expect(desk.exchange.orders.count == 1)
        desk.time.pass(6_000)
        #expect(try await desk.restarted().place(order, as: id).evidence == .answer)
        #expect(try await desk.restarted().place(order, as: id).evidence == .journal)
        #expect(desk.exchange.orders.count == 2 && desk.exchange.placed.count == 1)
    }

    @Test("a full disk refuses the order before it is sent", arguments: plain)
    func fullDisk(kind: Desk.Kind) async throws {
        let files = MemoryFiles()
        let desk = try await Desk(kind, files: files)
        for write in 1...10 { files.fail(at: write, .full) }
        await #expect(throws: ExchangeError.state(.storage(.diskFull))) {
            _ = try await desk.client.place(desk.order(), as: desk.newID())
        }
        #expect(desk.exchange.orders.isEmpty)
        // The nonce can be written, and the journal cannot.
        if kind == .kraken {
            files.revive()
            files.fail(at: files.writes + 2, .full)
            await #expect(throws: ExchangeError.state(.storage(.diskFull))) {
                _ = try await desk.client.place(desk.order(), as: desk.newID())
            }
            #expect(desk.exchange.orders.isEmpty)
        }
    }

    @Test("a journal full of open orders refuses another one before it is sent")
    func fullJournal() async throws {
        let files = MemoryFiles()
        let desk = try await Desk(files: files)
        _ = try await desk.client.place(desk.order(), as: desk.newID())
        var journal = OrderJournal()
        journal.generation = 2
        for _ in 0..<ExchangeLimits.journalOrders {
            try journal.add(
                JournalEntry(
                    id: desk.newID(), order: desk.order(), created: Moment(milliseconds: 0),
                    deadline: Moment(milliseconds: 0), state: .open))
        }
        files.replace(".orders", with: journal.encoded)
        await #expect(throws: ExchangeError.state(.journalFull)) {
            _ = try await desk.client.place(desk.order(), as: desk.newID())
        }
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("an order for another exchange is refused")
    func otherVenue() async throws {
        let desk = try await Desk()
        let order = try Order(.buy, Quantity("1", for: .amount), of: TradingSymbol("XBTUSD", on: .kraken), .market)
        await #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.kraken))) {
            _ = try await desk.client.place(order, as: desk.newID())
        }
        await #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.kraken))) {
            _ = try await desk.client.test(order)
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
    func found(kind: Desk.Kind, trouble: FakeExchange.Trouble) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(trouble)
        let (order, id) = (try desk.order(), desk.newID())
        let outcome = try await desk.client.place(order, as: id)
        #expect(outcome.evidence == .query, "\(outcome)")
        #expect(desk.exchange.orders.count == 1)
        #expect(desk.exchange.placed.count == 1)
        #expect(try await desk.restarted().reconcile(id).evidence == .journal)
    }

    @Test(
        "a request that was lost before the exchange is absent, after the window has passed on the exchange's clock",
        arguments: plain, [-3_600_000, 0, 3_600_000] as [Int64])
    func absent(kind: Desk.Kind, ahead: Int64) async throws {
        let desk = try await Desk(kind)
        desk.exchange.setAhead(ahead)
        desk.exchange.next(.cutBefore)
        let start = desk.time.now
        let (order, id) = (try desk.order(), desk.newID())
        #expect(try await desk.client.place(order, as: id) == .absent)
        #expect(desk.time.now - start > 5_000 + ExchangeLimits.settling)
        // One answer may come from a replica that is behind.
        let query = kind == .kraken ? "/0/private/ClosedOrders" : "/api/v3/order"
        let looks = desk.exchange.sent.filter { $0.path == query && $0.at > start + 5_000 + ExchangeLimits.settling }
        #expect(looks.count >= 2)
        #expect(desk.exchange.orders.count == 1)
        // Another call with the id does not send it either.
        #expect(try await desk.client.place(order, as: id) == .absent)
        #expect(desk.exchange.orders.count == 1)
    }

    @Test(
        "\"no such order\" is not believed while the request may still arrive", arguments: plain,
        [1_000, 4_000] as [UInt64])
    func late(kind: Desk.Kind, delay: UInt64) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.late(delay))
        let outcome = try await desk.client.place(desk.order(), as: desk.newID())
        if kind == .kraken {
            // The query's higher nonce has overtaken the order, which the exchange then refuses.
            #expect(outcome == .absent)
            #expect(desk.exchange.placed.isEmpty)
        } else {
            #expect(outcome.evidence == .query)
            #expect(desk.exchange.placed.count == 1)
        }
    }

    @Test(
        "a request that arrives after its window is refused by the exchange, so that absent stays true",
        arguments: plain)
    func tooLate(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.late(5_100))
        #expect(try await desk.client.place(desk.order(), as: desk.newID()) == .absent)
        desk.time.pass(60_000)
        _ = try await desk.client.serverTime()
        #expect(desk.exchange.placed.isEmpty)
    }

    @Test(
        "an order that the exchange shows late is found within the time of settling", arguments: plain,
        [2_500, 6_000, 12_000] as [UInt64])
    func hidden(kind: Desk.Kind, delay: UInt64) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.hidden(delay))
        let outcome = try await desk.client.place(desk.order(), as: desk.newID())
        #expect(outcome.evidence == .query, "\(outcome)")
    }

    @Test("an absent order that appears after all is found by another look, and is not sent", arguments: plain)
    func veryLate(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        desk.exchange.next(.hidden(60_000))
        let (order, id) = (try desk.order(), desk.newID())
        #expect(try await desk.client.place(order, as: id) == .absent)
        desk.time.pass(60_000)
        #expect(try await desk.client.place(order, as: id).evidence == .query)
        #expect(desk.exchange.orders.count == 1)
    }

    @Test(
        "while the exchange does not answer the queries, the outcome stays unknown, and a later look settles it",
        arguments: plain)
    func unanswered(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let query = kind == .kraken ? "POST /0/private/OpenOrders" : "GET /api/v3/order"
        desk.exchange.next(.cutAfter)
        desk.exchange.next(.cutBefore, .answerInstead(status: 503, body: "", headers: []), .notConnected, at: query)
        let (order, id) = (try desk.order(), desk.newID())
        let outcome = try await desk.client.place(order, as: id)
        #expect(outcome == .unknown(.transport(.closed)))
        #expect(outcome.mayStillAct)
        #expect(try await desk.client.unsettledOrders().map(\.id) == [id])
        #expect(try await desk.restarted().reconcile(id).evidence == .query)
        #expect(try await desk.client.unsettledOrders().isEmpty)
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("a ban during a reconciliation ends it, and nothing more is sent")
    func banned() async throws {
        let desk = try await Desk()
        desk.exchange.next(.cutAfter)
        desk.exchange.next(.answerInstead(status: 418, body: "", headers: []), at: "GET /api/v3/order")
        let id = desk.newID()
        #expect(try await desk.client.place(desk.order(), as: id) == .unknown(.transport(.closed)))
        let count = desk.exchange.sent.count
        #expect(try await desk.client.reconcile(id) == .unknown(.notAnswered))
        #expect(desk.exchange.sent.count == count)
    }

    @Test("an order under the same id with other terms is not taken for ours", arguments: plain)
    func otherTerms(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let id = desk.newID()
        let order = try desk.order("9")
        _ = try await desk.client.place(order, as: id)
        for terms in [
            try desk.order("1"), try desk.order("9", side: .sell),
            try Order(order.side, order.amount, of: order.symbol, .market),
            try Order(order.side, order.amount, of: order.symbol, .limit(price: order.amount, .untilCancelled)),
        ] {
            // Another machine has the same id and no journal. Its requests have higher nonces.
            desk.time.pass(1)
            let other = try desk.restarted(with: MemoryFiles())
            #expect(try await other.place(terms, as: id) == .unknown(.otherTerms), "\(terms)")
        }
        // With the same terms it is the duplicate that the exchange refused: one order, which is found.
        #expect(try await desk.restarted().place(desk.order("9"), as: id).evidence == .journal)
        #expect(desk.exchange.placed.count == 1)
    }

    @Test("an answer to an order with another kind or limit is not believed: the order is looked for")
    func answerWithOtherTerms() async throws {
        for terms in [#""type":"MARKET","price":"37500.5""#, #""type":"LIMIT","price":"999999""#] {
            let desk = try await Desk()
            let id = desk.newID()
            let text =
                #"{"symbol":"BTCUSDT","orderId":28,"clientOrderId":"\#(id)","origQty":"1.25","executedQty":"0","#
                + #""status":"NEW","side":"BUY",\#(terms)}"#
            desk.exchange.next(.answerAfter(status: 200, body: text, headers: json))
            #expect(try await desk.client.place(desk.order(), as: id).evidence == .query)
        }
    }

    @Test("a duplicate at the exchange is looked up, not reported as a refusal", arguments: plain)
    func duplicate(kind: Desk.Kind) async throws {
        let desk = try await Desk(kind)
        let (order, id) = (try desk.order(), desk.newID())
        _ = try await desk.client.place(order, as: id)
        let other = try desk.restarted(with: MemoryFiles())
        desk.time.pass(10_000)
        #expect(try await other.place(order, as: id).evidence == .query)
        #expect(desk.exchange.placed.count == 1)
    }

    @Test("an order that the engine rejects after all is refused, by the answer and by the query")
    func rejectedByEngine() async throws {
        let desk = try await Desk()
        let (order, id) = (try desk.order(), desk.newID())
        let text = """
            {"symbol":"BTCUSDT","orderId":28,"clientOrderId":"\(id)","origQty":"1.25","executedQty":"0","status":"REJECTED",\
            "side":"BUY","type":"LIMIT","price":"37500.50000000"}
            """
        desk.exchange.next(.answerInstead(status: 200, body: text, headers: json))
        desk.exchange.next(.answerInstead(status: 200, body: text, headers: json), at: "GET /api/v3/order")
        let outcome = try await desk.client.place(order, as: id)
        #expect(outcome == .refused(Refusal(reason: .other, code: "REJECTED")))
        #expect(desk.exchange.orders.count == 1)
    }

    @Test("of several errors, one that leaves the outcome open decides")
    func severalErrors() async throws {
        let desk = try await Desk(.kraken)
        let body = #"{"error":["EGeneral:Invalid arguments","EService:Timeout","WDatabase:Slow"]}"#
        desk.exchange.next(.answerAfter(status: 200, body: body, headers: json))
        guard case .placed(_, .query) = try await desk.client.place(desk.order(), as: desk.newID()) else {
            Issue.record("not looked up")
            return
        }
        let warning = #"{"error":["WDatabase:Slow"],"result":{"txid":["OAAAAA-BBBBB-CCCCCC"]}}"#
        desk.exchange.next(.answerInstead(status: 200, body: warning, headers: json))
        guard case .placed(_, .answer) = try await desk.client.place(desk.order(), as: desk.newID()) else {
            Issue.record("a warning is not an error")
            return
        }
    }

    @Test("an exchange that ignores the id in a query proves nothing")
    func ignoredFilter() async throws {
        let desk = try await Desk(.kraken)
        _ = try await desk.client.place(desk.order(), as: desk.newID())
        desk.exchange.ignoreFilter()
        desk.exchange.next(.cutBefore)
        let outcome = try await desk.client.place(desk.order("7"), as: desk.newID())
        #expect(outcome == .unknown(.transport(.closed)))
    }

    @Test("an order that the journal does not have is not looked for")
    func unknownOrder() async throws {
        let desk = try await Desk()
        await #expect(throws: ExchangeError.unknownOrder) { _ = try await desk.client.reconcile(desk.newID()) }
        let placed = try #require(PlacedOrder(id: desk.newID(), exchangeID: "28", status: .open, filled: nil))
        await #expect(throws: ExchangeError.unknownOrder) { try await desk.client.observe(placed) }
    }

    @Test("a refusal for the time is repeated once, with a new time and the clock measured again")
    func clock() async throws {
        let desk = try await Desk()
        _ = try await desk.client.serverTime()
        desk.exchange.setAhead(8_000)
        let outcome = try await desk.client.place(desk.order(), as: desk.newID())
        #expect(outcome.evidence == .answer)
        #expect(desk.exchange.orders.count == 2)
        #expect(desk.exchange.placed.count == 1)

        for _ in 0..<3 {
            desk.exchange.next(.answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json))
        }
        let again = try await desk.client.place(desk.order(), as: desk.newID())
        #expect(again == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(desk.exchange.orders.count == 4)
    }

    @Test("the deadline in the journal is the later one of two attempts")
    func deadlines() async throws {
        let desk = try await Desk()
        _ = try await desk.client.serverTime()
        desk.exchange.setAhead(8_000)
        desk.exchange.next(.answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json), .cutBefore)
        let id = desk.newID()
        let start = desk.time.now
        #expect(try await desk.client.place(desk.order(), as: id) == .absent)
        #expect(desk.time.now - start > 5_000 + ExchangeLimits.settling)
        let entry = try #require(try await desk.client.journal().first { $0.id == id })
        #expect(entry.deadline.milliseconds >= start + 8_000 + 5_000)
    }

    @Test("if the second attempt cannot be made, the first one's refusal is the outcome", arguments: [true, false])
    func halfClock(isCut: Bool) async throws {
        let desk = try await Desk()
        _ = try await desk.client.serverTime()
        desk.exchange.next(.answerInstead(status: 400, body: #"{"code":-1021,"msg":"x"}"#, headers: json))
        desk.exchange.next(
            isCut ? .cutBefore : .answerInstead(status: 418, body: "", headers: []), at: "GET /api/v3/time")
        let id = desk.newID()
        #expect(try await desk.client.place(desk.order(), as: id) == .refused(Refusal(reason: .time, code: "-1021")))
        #expect(try await desk.client.unsettledOrders().isEmpty)
        #expect(desk.exchange.orders.count == 1)
    }
}
