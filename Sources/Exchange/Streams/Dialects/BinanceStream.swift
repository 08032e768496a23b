internal import Encoding
internal import ExchangeCredentials
internal import PinnedHTTP
internal import Time

/// Binance's streams: prices from the market streams, orders from the user data stream of its WebSocket API.
struct BinanceStream: StreamDialect {
    func address(of feed: StreamFeed) -> StreamAddress {
        switch feed {
        case .market: StreamAddress(host: "stream.binance.com", port: 9443, path: "/ws")
        case .orders: StreamAddress(host: "ws-api.binance.com", port: 443, path: "/ws-api/v3")
        }
    }

    /// A market can be quiet, and Binance sends no heartbeat: only pings tell whether the connection lives.
    var silence: Duration? { nil }

    func check(_ symbol: TradingSymbol) throws(ExchangeError) {}

    // MARK: Requests

    func subscription(to symbols: [TradingSymbol]) -> [String] {
        let names = symbols.flatMap { symbol -> [JSON] in
            let name = symbol.text.lowercased()
            return [.string("\(name)@bookTicker"), .string("\(name)@trade")]
        }
        return [(["method": "SUBSCRIBE", "params": .array(names), "id": 1] as JSON).text]
    }

    func confirmations(of symbols: [TradingSymbol]) -> Int { 1 }

    /// Returns the request for the account's events. The parameters are signed in the order of their names.
    func orderSubscription(by credential: borrowing ExchangeCredential, stamp: Stamp) -> String {
        let payload = Wire.form([
            ("apiKey", credential.key.text), ("recvWindow", String(stamp.window.milliseconds)),
            ("timestamp", String(stamp.time.milliseconds)),
        ])
        let signature = credential.secret.binanceSignature(of: Array(payload.utf8))
        let request: JSON = [
            "id": 1, "method": "userDataStream.subscribe.signature",
            "params": [
                "apiKey": .string(credential.key.text), "recvWindow": .number(JSON.Number(stamp.window.milliseconds)),
                "timestamp": .number(JSON.Number(stamp.time.milliseconds)), "signature": .string(signature),
            ],
        ]
        return request.text
    }

    // MARK: Messages

    func read(_ text: String, now: Timestamp) -> StreamMessage {
        guard let json = StreamWire.object(text) else { return .unreadable }
        if let event = json["event"] { return accountEvent(event) }
        if json["status"] != nil || json["error"] != nil || json["code"] != nil { return response(json, now) }
        // Null is the result of a subscription.
        if let result = json["result"] { return result.isNull ? .confirmed : .nothing }
        switch json["e"]?.string {
        case "trade": return trade(json).map { .trades([$0]) } ?? .unreadable
        case nil: return quote(json).map { .quotes([$0]) } ?? .unreadable
        case "serverShutdown": return .nothing
        default: return .unreadable
        }
    }

    private func response(_ json: JSON, _ now: Timestamp) -> StreamMessage {
        let status = json["status"]?.number?.integer(as: Int.self)
        guard json["error"] != nil || json["code"] != nil else { return status == 200 ? .confirmed : .unreadable }
        // The market streams report an error without a status, with a code that is not negative.
        guard let status, (400..<600).contains(status), let error = json["error"] else {
            return .failed(.refused(Refusal(reason: .parameter, code: "")))
        }
        return .failed(
            BinanceDialect().answer(HTTPResponse(status: status, body: error.encoded), to: .balances, now: now))
    }

    private func symbol(_ json: JSON) -> TradingSymbol? {
        json["s"]?.string.flatMap { try? TradingSymbol($0, on: .binance) }
    }

    private func quantity(_ json: JSON) -> Quantity? { json.string.flatMap(Quantity.init(answer:)) }

    private func moment(_ json: JSON) -> Timestamp? {
        json.number?.integer(as: UInt64.self).flatMap(Timestamp.init(ofStream:))
    }

    private func quote(_ json: JSON) -> Quote? {
        guard let symbol = symbol(json), let bid = json["b"].flatMap(quantity), let ask = json["a"].flatMap(quantity),
            let bidAmount = json["B"].flatMap(quantity), let askAmount = json["A"].flatMap(quantity)
        else { return nil }
        return Quote(symbol: symbol, bid: bid, bidAmount: bidAmount, ask: ask, askAmount: askAmount)
    }

    private func trade(_ json: JSON) -> MarketTrade? {
        guard let symbol = symbol(json), let price = json["p"].flatMap(quantity),
            let amount = json["q"].flatMap(quantity),
            let isBuyerMaker = json["m"]?.bool, let time = json["T"].flatMap(moment)
        else { return nil }
        return MarketTrade(
            symbol: symbol, price: price, amount: amount, side: isBuyerMaker ? .sell : .buy, time: time)
    }

    private func accountEvent(_ event: JSON) -> StreamMessage {
        switch event["e"]?.string {
        case "executionReport": report(event).map { .orders([$0], number: nil) } ?? .unreadable
        case "eventStreamTerminated": .ended
        case .some: .nothing
        case nil: .unreadable
        }
    }

    private func report(_ json: JSON) -> OrderReport? {
        guard let number = json["i"]?.number?.integer(as: UInt64.self), let symbol = symbol(json),
            let side = json["S"].flatMap(BinanceDialect.side), let status = json["X"]?.string.map(Self.status),
            let amount = json["q"].flatMap(quantity), let price = json["p"].flatMap(quantity),
            let filled = json["z"].flatMap(quantity), let tradePrice = json["L"].flatMap(quantity),
            let tradeAmount = json["l"].flatMap(quantity), let client = json["c"]?.string,
            let time = json["T"].flatMap(moment)
        else { return nil }
        // A report about a cancellation has the cancellation's id in `c`, and the order's in `C`.
        let original = json["C"]?.string ?? ""
        let isTrade = json["x"]?.string == "TRADE"
        return OrderReport(
            exchangeID: String(number), clientID: try? ClientOrderID(original.isEmpty ? client : original),
            symbol: symbol, side: side, amount: amount, price: price.isZero ? nil : price, status: status,
            filled: filled,
            tradePrice: isTrade ? tradePrice : nil, tradeAmount: isTrade ? tradeAmount : nil, time: time)
    }

    private static func status(_ text: String) -> OrderReport.Status {
        switch text {
        case "NEW", "PENDING_NEW", "PENDING_CANCEL": .open
        case "PARTIALLY_FILLED": .partlyFilled
        case "FILLED": .filled
        case "CANCELED": .cancelled
        case "EXPIRED", "EXPIRED_IN_MATCH": .expired
        case "REJECTED": .rejected
        default: .other
        }
    }
}
