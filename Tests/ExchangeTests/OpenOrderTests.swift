import ExchangeCredentials
import PinnedHTTP
import Testing
import Time

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]

@Suite("Open orders") struct OpenOrderTests {
    /// A client whose exchange has one open order, and the answers about it.
    private func fixture(_ kind: ExchangeFixture.Kind, status: String = "open", filled: String = "0.5") async throws
        -> ExchangeFixture
    {
        let fixture = try await ExchangeFixture(kind)
        fixture.exchange.answer(
            "/0/private/OpenOrders", with: #"{"open":{"OAAAAA-B":\#(Self.kraken(status, filled))}}"#)
        fixture.exchange.answer("/0/private/QueryOrders", with: #"{"OAAAAA-B":\#(Self.kraken(status, filled))}"#)
        fixture.exchange.answer("/0/private/CancelOrder", with: #"{"count":1}"#)
        fixture.exchange.answer("/api/v3/openOrders", with: "[\(Self.binance(status, filled))]")
        fixture.exchange.answer("/api/v3/order", with: Self.binance(status, filled))
        return fixture
    }

    private static func kraken(_ status: String, _ filled: String) -> String {
        """
        {"status":"\(status)","vol":"1.25","vol_exec":"\(filled)","opentm":1700000000.1234,"cl_ord_id":null,\
        "descr":{"pair":"XBTUSD","type":"buy","ordertype":"limit","price":"37500.5"}}
        """
    }

    private static func binance(_ status: String, _ filled: String) -> String {
        let words = ["open": "PARTIALLY_FILLED", "canceled": "CANCELED", "closed": "FILLED"]
        return """
            {"symbol":"BTCUSDT","orderId":28,"clientOrderId":"web_7","price":"37500.50000000","origQty":"1.25",\
            "executedQty":"\(filled)","status":"\(words[status] ?? status)","type":"STOP_LOSS_LIMIT","side":"SELL",\
            "time":1700000000000}
            """
    }

    @Test(
        "an order that another program placed is listed with its terms and the filled amount",
        arguments: ExchangeFixture.Kind.allCases)
    func list(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await fixture(kind)
        let open = try await fixture.client.openOrders()
        let order = try #require(open.orders.first)
        #expect(open.unreadable == 0 && open.orders.count == 1)
        #expect(order.exchangeID == (kind == .kraken ? "OAAAAA-B" : "28"))
        #expect(order.clientID == nil)
        #expect(order.symbol.text == (kind == .kraken ? "XBTUSD" : "BTCUSDT"))
        #expect(order.side == (kind == .kraken ? .buy : .sell))
        #expect(order.type == (kind == .kraken ? "limit" : "stop-loss-limit"))
        #expect(order.amount.description == "1.25" && order.price?.description == "37500.5")
        #expect(order.state.filled.description == "0.5" && order.state.status == .partlyFilled)
        #expect(order.created == Timestamp(milliseconds: 1_700_000_000_000))
    }

    @Test(
        "an entry that cannot be read is counted, and hides no other one",
        arguments: [ExchangeFixture.Kind.binanceHMAC, .kraken])
    func unreadable(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await fixture(kind)
        let broken = Self.kraken("open", "x")
        fixture.exchange.answer(
            "/0/private/OpenOrders",
            with:
                #"{"open":{"O-\u202e":\#(Self.kraken("open", "0")),"O-B":\#(broken),"O-C":\#(Self.kraken("open", "0"))}}"#
        )
        fixture.exchange.answer(
            "/api/v3/openOrders",
            with: "[\(Self.binance("open", "x")),{},\(Self.binance("open", "0"))]")
        let open = try await fixture.client.openOrders()
        #expect(open.unreadable == 2 && open.orders.count == 1)
    }

    @Test("a list that is not the documented JSON is unclear", arguments: ["{}", "7", #"{"open":[]}"#, "null"])
    func malformed(body: String) async throws {
        for kind in [ExchangeFixture.Kind.binanceHMAC, .kraken] {
            let fixture = try await fixture(kind)
            fixture.exchange.answer("/0/private/OpenOrders", with: body)
            fixture.exchange.answer("/api/v3/openOrders", with: body)
            await #expect(throws: ExchangeError.unclear(.answer)) { _ = try await fixture.client.openOrders() }
        }
    }

    @Test("a market of another exchange is refused")
    func otherVenue() async throws {
        let fixture = try await fixture(.kraken)
        let symbol = try TradingSymbol("BTCUSDT", on: .binance)
        await #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.binance))) {
            _ = try await fixture.client.openOrders(of: symbol)
        }
    }

    // MARK: Cancelling

    @Test("an order of another exchange is not cancelled, and nothing is sent")
    func otherExchange() async throws {
        let (binance, kraken) = (try await fixture(.binanceHMAC), try await fixture(.kraken))
        let order = try await listed(binance)
        let count = kraken.exchange.sent.count
        await #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.binance))) {
            _ = try await kraken.client.cancel([order])
        }
        #expect(kraken.exchange.sent.count == count)
    }

    private func listed(_ fixture: ExchangeFixture) async throws -> ListedOrder {
        try #require(try await fixture.client.openOrders().orders.first)
    }

    private func cancel(_ fixture: ExchangeFixture, _ order: ListedOrder) async throws -> CancelOutcome {
        try #require(try await fixture.client.cancel([order]).results.first?.outcome)
    }

    /// Arranges what the exchange says about the order from now on.
    private func end(_ fixture: ExchangeFixture, _ status: String, filled: String) {
        fixture.exchange.answer("/0/private/QueryOrders", with: #"{"OAAAAA-B":\#(Self.kraken(status, filled))}"#)
        fixture.exchange.answer("/api/v3/order", with: Self.binance(status, filled))
    }

    @Test(
        "a cancelled order is told with the amount that was filled before, and one that was filled as such",
        arguments: ExchangeFixture.Kind.allCases, [("canceled", PlacedOrder.Status.ended), ("closed", .filled)])
    func cancelled(kind: ExchangeFixture.Kind, end told: (String, PlacedOrder.Status)) async throws {
        let fixture = try await fixture(kind)
        let order = try await listed(fixture)
        end(fixture, told.0, filled: "0.75")
        guard case .closed(let state) = try await cancel(fixture, order) else { Issue.record("not closed"); return }
        #expect(state.status == told.1 && state.filled.description == "0.75")
    }

    private func cancelPath(_ fixture: ExchangeFixture) -> String {
        fixture.venue == .kraken ? "POST /0/private/CancelOrder" : "DELETE /api/v3/order"
    }

    @Test(
        "after a lost answer the state is asked for, and the order is not taken for cancelled",
        arguments: ExchangeFixture.Kind.allCases)
    func lostAnswer(kind: ExchangeFixture.Kind) async throws {
        let fixture = try await fixture(kind)
        let order = try await listed(fixture)
        fixture.exchange.next(.timeOut, at: cancelPath(fixture))
        guard case .pending = try await cancel(fixture, order) else { Issue.record("not pending"); return }
        end(fixture, "canceled", filled: "0")
        fixture.exchange.next(.cutAfter, at: cancelPath(fixture))
        guard case .closed = try await cancel(fixture, order) else { Issue.record("not closed"); return }
    }

    @Test(
        "a refused cancelling of a closed order tells its end, and of an open one the refusal",
        arguments: [true, false])
    func refused(isClosed: Bool) async throws {
        let fixture = try await fixture(.kraken)
        let order = try await listed(fixture)
        if isClosed { end(fixture, "closed", filled: "1.25") }
        fixture.exchange.next(
            .answerInstead(status: 200, body: #"{"error":["EOrder:Unknown order"]}"#, headers: json),
            at: cancelPath(fixture))
        switch try await cancel(fixture, order) {
        case .closed(let state): #expect(isClosed && state.status == .filled)
        case .refused(let refusal): #expect(!isClosed && refusal.reason == .noSuchOrder)
        case let other: Issue.record("\(other)")
        }
    }

    private func answer(_ body: String, status: Int = 200) -> FakeExchange.Trouble {
        .answerInstead(status: status, body: body, headers: json)
    }
    private let accepted = #"{"error":[],"result":{"count":1}}"#

    @Test("an exchange that does not tell the state leaves it open whether the order is cancelled")
    func stateless() async throws {
        let fixture = try await fixture(.kraken)
        let order = try await listed(fixture)
        fixture.exchange.answer("/0/private/QueryOrders", with: #"{"OTHER-ORDER":{}}"#)
        #expect(try await cancel(fixture, order) == .accepted)
        fixture.exchange.next(.cutAfter, at: cancelPath(fixture))
        #expect(try await cancel(fixture, order) == .unknown(.transport(.closed)))
    }

    @Test("a refused key ends the cancelling, and is not tried again")
    func refusedKey() async throws {
        let fixture = try await fixture(.kraken)
        let order = try await listed(fixture)
        fixture.exchange.next(answer(accepted), answer(#"{"error":["EAPI:Invalid key"]}"#), at: cancelPath(fixture))
        let count = fixture.exchange.sent.count
        let cancelled = try await fixture.client.cancel([order, order, order])
        #expect(cancelled.results.map(\.outcome) == [.accepted, .notTried, .notTried])
        guard case .refused? = cancelled.failure else { Issue.record("\(cancelled)"); return }
        #expect(fixture.exchange.sent.count == count + 2)
    }

    @Test("a throttled cancelling is not tried, and nothing is asked during the pause")
    func throttled() async throws {
        let fixture = try await fixture(.kraken)
        let order = try await listed(fixture)
        fixture.exchange.next(answer("", status: 429), at: cancelPath(fixture))
        let cancelled = try await fixture.client.cancel([order])
        #expect(cancelled.results.map(\.outcome) == [.notTried])
        guard case .mustWait? = cancelled.failure else { Issue.record("\(cancelled)"); return }
        let count = fixture.exchange.sent.count
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.openOrders() }
        #expect(fixture.exchange.sent.count == count)
    }

    // MARK: Several orders

    /// A client at Kraken with open orders, all of which are cancelled when the exchange is asked for them.
    private func book(_ count: Int) async throws -> (ExchangeFixture, [ListedOrder]) {
        let fixture = try await ExchangeFixture(.kraken)
        func list(_ status: String) -> String {
            (0..<count).map { #""O-\#($0)":\#(Self.kraken(status, "0"))"# }.joined(separator: ",")
        }
        fixture.exchange.answer("/0/private/OpenOrders", with: #"{"open":{\#(list("open"))}}"#)
        fixture.exchange.answer("/0/private/QueryOrders", with: "{\(list("canceled"))}")
        fixture.exchange.answer("/0/private/CancelOrder", with: #"{"count":1}"#)
        let orders = try await fixture.client.openOrders().orders
        #expect(orders.count == count)
        return (fixture, orders)
    }

    @Test("all orders are cancelled before the first query, which asks Kraken for 50 of them", arguments: [20, 60])
    func several(count: Int) async throws {
        let (fixture, orders) = try await book(count)
        let before = fixture.exchange.sent.count
        let cancelled = try await fixture.client.cancel(orders)
        #expect(cancelled.failure == nil && cancelled.results.map(\.order) == orders)
        for result in cancelled.results {
            guard case .closed = result.outcome else { Issue.record("\(result)"); return }
        }
        let sent = fixture.exchange.sent.dropFirst(before)
        #expect(sent.prefix(count).allSatisfy { $0.path == "/0/private/CancelOrder" })
        let queries = sent.dropFirst(count)
        #expect(queries.allSatisfy { $0.path == "/0/private/QueryOrders" })
        #expect(queries.compactMap { $0.form["txid"]?.split(separator: ",").count } == (count == 20 ? [20] : [50, 10]))
    }

    @Test("a limit of Kraken's engine leaves the rest untried, and what was accepted is told")
    func engineLimit() async throws {
        let (fixture, orders) = try await book(3)
        let limit = answer(#"{"error":["EOrder:Rate limit exceeded"]}"#)
        fixture.exchange.next(answer(accepted), limit, at: cancelPath(fixture))
        let cancelled = try await fixture.client.cancel(orders)
        #expect(cancelled.results.map(\.outcome) == [.accepted, .notTried, .notTried])
        guard case .mustWait(let wait)? = cancelled.failure else { Issue.record("\(cancelled)"); return }
        #expect(wait.reason == .rateLimit)
        let count = fixture.exchange.sent.count
        #expect(
            try await fixture.restarted().cancel(orders).results.map(\.outcome) == [.notTried, .notTried, .notTried])
        #expect(fixture.exchange.sent.count == count)
    }

    @Test("a throttled cancelling, which may have had its effect, is not told as untried")
    func throttledText() async throws {
        let (fixture, orders) = try await book(2)
        let end = fixture.time.now / 1_000 + 30
        fixture.exchange.next(answer(#"{"error":["EService: Throttled: [\#(end)]"]}"#), at: cancelPath(fixture))
        #expect(try await fixture.client.cancel(orders).results.map(\.outcome) == [.unknown(.exchange), .notTried])
    }

    @Test("a pause of Kraken's counter of calls stops every request but those that cancel")
    func counterPause() async throws {
        let (fixture, orders) = try await book(3)
        fixture.exchange.next(answer(#"{"error":["EAPI:Rate limit exceeded"]}"#), at: "POST /0/private/Balance")
        await #expect(throws: ExchangeError.self) { _ = try await fixture.client.balances() }
        for client in [fixture.client, try fixture.restarted()] {
            let before = fixture.exchange.sent.count
            #expect(try await client.cancel(orders).results.map(\.outcome) == [.accepted, .accepted, .accepted])
            let paths = fixture.exchange.sent.dropFirst(before).map(\.path)
            #expect(paths.filter { $0 != "/0/public/Time" } == Array(repeating: "/0/private/CancelOrder", count: 3))
        }
        fixture.time.pass(ExchangeLimits.krakenRateLimitWait)
        let closed = try await fixture.client.cancel(orders).results
        guard case .closed? = closed.first?.outcome else { Issue.record("\(closed)"); return }
    }

    @Test("orders of two markets with one number are told apart by the market")
    func oneNumber() async throws {
        let fixture = try await fixture(.binanceHMAC)
        let other = Self.binance("open", "0").replacing("BTCUSDT", with: "ETHUSDT")
        fixture.exchange.answer("/api/v3/openOrders", with: "[\(Self.binance("open", "0")),\(other)]")
        let open = try await fixture.client.openOrders()
        #expect(open.orders(named: "28").map(\.symbol.text) == ["BTCUSDT", "ETHUSDT"])
        #expect(open.orders(named: "ETHUSDT:28").map(\.symbol.text) == ["ETHUSDT"])
        #expect(open.orders(named: "ETHUSDT:2").isEmpty)
    }

    // MARK: Orders that may still open

    /// A client with an order whose answer and queries were lost, and which queries show 8 seconds later.
    private func lost(_ kind: ExchangeFixture.Kind) async throws -> (ExchangeFixture, ClientOrderID) {
        let fixture = try await ExchangeFixture(kind)
        let id = fixture.newID()
        fixture.exchange.next(.hidden(8_000))
        loseQueries(fixture)
        guard case .unknown = try await fixture.client.place(try fixture.order(), as: id) else {
            Issue.record("known"); return (fixture, id)
        }
        return (fixture, id)
    }

    private func loseQueries(_ fixture: ExchangeFixture) {
        let path = fixture.venue == .binance ? "GET /api/v3/order" : "POST /0/private/OpenOrders"
        fixture.exchange.next(.notConnected, .notConnected, .notConnected, at: path)
    }

    @Test(
        "an order that opens after the list is looked for, and is in the next list",
        arguments: ExchangeFixture.Kind.allCases)
    func opensLater(kind: ExchangeFixture.Kind) async throws {
        let (fixture, id) = try await lost(kind)
        let first = try await fixture.client.openOrders()
        #expect(first.orders.isEmpty)
        let (open, unknown) = try await fixture.client.openOrders(settling: first)
        #expect(open.orders.map(\.clientID) == [id] && unknown.isEmpty)
        #expect(try await fixture.client.unsettledOrders().isEmpty)
        let count = fixture.exchange.sent.count
        #expect(try await fixture.client.openOrders(settling: open) == (open, []))
        #expect(fixture.exchange.sent.count == count)
    }

    @Test("an order that is not found and may still open is named", arguments: ExchangeFixture.Kind.allCases)
    func mayOpen(kind: ExchangeFixture.Kind) async throws {
        let (fixture, id) = try await lost(kind)
        let first = try await fixture.client.openOrders()
        loseQueries(fixture)
        #expect(try await fixture.client.openOrders(settling: first).unknown.map(\.id) == [id])
    }

    @Test("without a second list, an order that was looked for may be open")
    func noSecondList() async throws {
        let (fixture, id) = try await lost(.binanceHMAC)
        let first = try await fixture.client.openOrders()
        fixture.exchange.next(.notConnected, at: "GET /api/v3/openOrders")
        #expect(try await fixture.client.openOrders(settling: first).unknown.map(\.id) == [id])
    }
}

@Suite("A test of an order") struct OrderTestMarkTests {
    @Test("the signed bytes of a test are refused as an order")
    func marked() async throws {
        let fixture = try await ExchangeFixture()
        #expect(try await fixture.client.test(fixture.order()) == .valid)
        let test = try #require(fixture.exchange.sent.last)
        #expect(test.form["computeCommissionRates"] == "false")
        // Whoever answers for the exchange forwards the body to the path of orders.
        let origin = try Origin(exchangeAt: "https://api.binance.com")
        let body = test.body
        let request = try #require(
            HTTPRequest(
                .post, "/api/v3/order", at: origin, headers: test.headers, body: body, repetition: .never, limit: 1_000)
        )
        let answer = try await fixture.exchange.send(request)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("-1104"))
        #expect(fixture.exchange.placed.isEmpty)
    }
}
