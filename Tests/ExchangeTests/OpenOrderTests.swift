import PinnedHTTP
import Testing

@testable import Exchange

private let json = [HTTPHeader("Content-Type", "application/json")]

@Suite("Open orders") struct OpenOrderTests {
    /// A client whose exchange has one open order, and the answers about it.
    private func desk(_ kind: Desk.Kind, status: String = "open", filled: String = "0.5") async throws -> Desk {
        let desk = try await Desk(kind)
        desk.exchange.answer("/0/private/OpenOrders", with: #"{"open":{"OAAAAA-B":\#(Self.kraken(status, filled))}}"#)
        desk.exchange.answer("/0/private/QueryOrders", with: #"{"OAAAAA-B":\#(Self.kraken(status, filled))}"#)
        desk.exchange.answer("/0/private/CancelOrder", with: #"{"count":1}"#)
        desk.exchange.answer("/api/v3/openOrders", with: "[\(Self.binance(status, filled))]")
        desk.exchange.answer("/api/v3/order", with: Self.binance(status, filled))
        return desk
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
        arguments: Desk.Kind.allCases)
    func list(kind: Desk.Kind) async throws {
        let desk = try await desk(kind)
        let open = try await desk.client.openOrders()
        let order = try #require(open.orders.first)
        #expect(open.unreadable == 0 && open.orders.count == 1)
        #expect(order.exchangeID == (kind == .kraken ? "OAAAAA-B" : "28"))
        #expect(order.clientID == nil)
        #expect(order.symbol.text == (kind == .kraken ? "XBTUSD" : "BTCUSDT"))
        #expect(order.side == (kind == .kraken ? .buy : .sell))
        #expect(order.type == (kind == .kraken ? "limit" : "stop-loss-limit"))
        #expect(order.amount.description == "1.25" && order.price?.description == "37500.5")
        #expect(order.state.filled.description == "0.5" && order.state.status == .partlyFilled)
        #expect(order.created == Moment(milliseconds: 1_700_000_000_000))
    }

    @Test(
        "an entry that cannot be read is counted, and hides no other one", arguments: [Desk.Kind.binanceHMAC, .kraken])
    func unreadable(kind: Desk.Kind) async throws {
        let desk = try await desk(kind)
        let broken = Self.kraken("open", "x")
        desk.exchange.answer(
            "/0/private/OpenOrders",
            with:
                #"{"open":{"O-\u202e":\#(Self.kraken("open", "0")),"O-B":\#(broken),"O-C":\#(Self.kraken("open", "0"))}}"#
        )
        desk.exchange.answer(
            "/api/v3/openOrders",
            with: "[\(Self.binance("open", "x")),{},\(Self.binance("open", "0"))]")
        let open = try await desk.client.openOrders()
        #expect(open.unreadable == 2 && open.orders.count == 1)
    }

    @Test("a list that is not the documented JSON is unclear", arguments: ["{}", "7", #"{"open":[]}"#, "null"])
    func malformed(body: String) async throws {
        for kind in [Desk.Kind.binanceHMAC, .kraken] {
            let desk = try await desk(kind)
            desk.exchange.answer("/0/private/OpenOrders", with: body)
            desk.exchange.answer("/api/v3/openOrders", with: body)
            await #expect(throws: ExchangeError.unclear(.answer)) { _ = try await desk.client.openOrders() }
        }
    }

    @Test("a market of another exchange is refused")
    func otherVenue() async throws {
        let desk = try await desk(.kraken)
        let symbol = try TradingSymbol("BTCUSDT", on: .binance)
        await #expect(throws: ExchangeError.invalid(.symbol, .otherVenue(.binance))) {
            _ = try await desk.client.openOrders(of: symbol)
        }
    }

    // MARK: Cancelling

    private func listed(_ desk: Desk) async throws -> ListedOrder {
        try #require(try await desk.client.openOrders().orders.first)
    }

    /// Arranges what the exchange says about the order from now on.
    private func end(_ desk: Desk, _ status: String, filled: String) {
        desk.exchange.answer("/0/private/QueryOrders", with: #"{"OAAAAA-B":\#(Self.kraken(status, filled))}"#)
        desk.exchange.answer("/api/v3/order", with: Self.binance(status, filled))
    }

    @Test(
        "a cancelled order is told with the amount that was filled before, and one that was filled as such",
        arguments: Desk.Kind.allCases, [("canceled", PlacedOrder.Status.ended), ("closed", .filled)])
    func cancelled(kind: Desk.Kind, end told: (String, PlacedOrder.Status)) async throws {
        let desk = try await desk(kind)
        let order = try await listed(desk)
        end(desk, told.0, filled: "0.75")
        guard case .closed(let state) = try await desk.client.cancel(order) else { Issue.record("not closed"); return }
        #expect(state.status == told.1 && state.filled.description == "0.75")
    }

    private func cancelPath(_ desk: Desk) -> String {
        desk.venue == .kraken ? "POST /0/private/CancelOrder" : "DELETE /api/v3/order"
    }

    @Test(
        "after a lost answer the state is asked for, and the order is not taken for cancelled",
        arguments: Desk.Kind.allCases)
    func lostAnswer(kind: Desk.Kind) async throws {
        let desk = try await desk(kind)
        let order = try await listed(desk)
        desk.exchange.next(.timeOut, at: cancelPath(desk))
        guard case .pending = try await desk.client.cancel(order) else { Issue.record("not pending"); return }
        end(desk, "canceled", filled: "0")
        desk.exchange.next(.cutAfter, at: cancelPath(desk))
        guard case .closed = try await desk.client.cancel(order) else { Issue.record("not closed"); return }
    }

    @Test(
        "a refused cancelling of a closed order tells its end, and of an open one the refusal",
        arguments: [true, false])
    func refused(isClosed: Bool) async throws {
        let desk = try await desk(.kraken)
        let order = try await listed(desk)
        if isClosed { end(desk, "closed", filled: "1.25") }
        desk.exchange.next(
            .answerInstead(status: 200, body: #"{"error":["EOrder:Unknown order"]}"#, headers: json),
            at: cancelPath(desk))
        switch try await desk.client.cancel(order) {
        case .closed(let state): #expect(isClosed && state.status == .filled)
        case .refused(let refusal): #expect(!isClosed && refusal.reason == .noSuchOrder)
        case let other: Issue.record("\(other)")
        }
    }

    @Test("an exchange that does not tell the state leaves the outcome unknown, and a refused key is an error")
    func unknown() async throws {
        let desk = try await desk(.kraken)
        let order = try await listed(desk)
        desk.exchange.answer("/0/private/QueryOrders", with: #"{"OTHER-ORDER":{}}"#)
        #expect(try await desk.client.cancel(order) == .unknown(.notAnswered))
        desk.exchange.next(
            .answerInstead(status: 200, body: #"{"error":["EAPI:Invalid key"]}"#, headers: json), at: cancelPath(desk))
        await #expect(throws: ExchangeError.self) { _ = try await desk.client.cancel(order) }
    }

    @Test("a throttled cancelling is unknown, and nothing is asked during the pause")
    func throttled() async throws {
        let desk = try await desk(.kraken)
        let order = try await listed(desk)
        desk.exchange.next(
            .answerInstead(status: 429, body: "", headers: json), at: cancelPath(desk))
        await #expect(throws: ExchangeError.self) { _ = try await desk.client.cancel(order) }
        let count = desk.exchange.sent.count
        await #expect(throws: ExchangeError.self) { _ = try await desk.client.openOrders() }
        #expect(desk.exchange.sent.count == count)
    }
}

@Suite("A test of an order") struct OrderTestMarkTests {
    @Test("the signed bytes of a test are refused as an order")
    func marked() async throws {
        let desk = try await Desk()
        #expect(try await desk.client.test(desk.order()) == .valid)
        let test = try #require(desk.exchange.sent.last)
        #expect(test.form["computeCommissionRates"] == "false")
        // Whoever answers for the exchange forwards the body to the path of orders.
        let origin = try Origin(exchangeAt: "https://api.binance.com")
        let body = test.body
        let request = try #require(
            HTTPRequest(
                .post, "/api/v3/order", at: origin, headers: test.headers, body: body, repetition: .never, limit: 1_000)
        )
        let answer = try await desk.exchange.send(request)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("-1104"))
        #expect(desk.exchange.placed.isEmpty)
    }
}
