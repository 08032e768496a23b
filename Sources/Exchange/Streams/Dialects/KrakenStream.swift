internal import Encoding
internal import ExchangeCredentials
internal import PinnedHTTP
internal import Time

/// Kraken's WebSocket API, version 2.
struct KrakenStream: StreamDialect {
    func address(of feed: StreamFeed) -> StreamAddress {
        switch feed {
        case .market: StreamAddress(host: "ws.kraken.com", port: 443, path: "/v2")
        case .orders: StreamAddress(host: "ws-auth.kraken.com", port: 443, path: "/v2")
        }
    }

    /// Kraken sends a heartbeat every second in which there is nothing else.
    var silence: Duration? { ExchangeLimits.streamSilence.duration }

    /// Version 2 names a market by its two assets: `BTC/USD`, not `XBTUSD`.
    func check(_ symbol: TradingSymbol) throws(ExchangeError) {
        guard symbol.text.contains("/") else { throw .invalid(.symbol, .noSlash) }
    }

    // MARK: Requests

    func subscription(to symbols: [TradingSymbol]) -> [String] {
        let names = JSON.array(symbols.map { .string($0.text) })
        let ticker: JSON = [
            "method": "subscribe", "params": ["channel": "ticker", "symbol": names, "event_trigger": "bbo"],
        ]
        let trades: JSON = ["method": "subscribe", "params": ["channel": "trade", "symbol": names, "snapshot": false]]
        return [ticker.text, trades.text]
    }

    func confirmations(of symbols: [TradingSymbol]) -> Int { 2 * symbols.count }

    /// Returns the request for the account's orders. The open ones come first.
    func orderSubscription(token: String) -> String {
        let request: JSON = [
            "method": "subscribe",
            "params": ["channel": "executions", "token": .string(token), "snap_orders": true, "snap_trades": false],
        ]
        return request.text
    }

    /// Returns the token in the result of `GetWebSocketsToken`; nil for another form.
    func token(in result: JSON) -> String? {
        guard let token = result["token"]?.string,
            (1...ExchangeLimits.streamTokenCharacters).contains(token.utf8.count),
            token.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) })
        else { return nil }
        return token
    }

    // MARK: Messages

    func read(_ text: String, now: Timestamp) -> StreamMessage {
        guard let json = StreamWire.object(text) else { return .unreadable }
        if let method = json["method"]?.string { return response(json, method, now) }
        switch json["channel"]?.string {
        case "heartbeat", "status": return .nothing
        case "ticker":
            guard let list = json["data"]?.array, let quotes = StreamWire.all(list, quote) else { return .unreadable }
            return .quotes(quotes)
        case "trade":
            guard let list = json["data"]?.array, let trades = StreamWire.all(list, trade) else { return .unreadable }
            return .trades(trades)
        case "executions":
            guard let list = json["data"]?.array, let reports = StreamWire.all(list, KrakenReport.read),
                let number = json["sequence"]?.number?.integer(as: UInt64.self)
            else { return .unreadable }
            return .orders(reports, number: number)
        default: return .unreadable
        }
    }

    private func response(_ json: JSON, _ method: String, _ now: Timestamp) -> StreamMessage {
        guard let isDone = json["success"]?.bool else { return method == "pong" ? .nothing : .unreadable }
        guard method == "subscribe" else { return .nothing }
        guard !isDone else { return .confirmed }
        guard let error = json["error"]?.string else { return .unreadable }
        if error.hasPrefix("Currency pair") { return .failed(.refused(Refusal(reason: .symbol, code: ""))) }
        // The token was used up or is too old: another attempt gets a new one.
        if error.hasPrefix("ESession:") { return .failed(.unclear(.exchange)) }
        let body: JSON = ["error": [.string(error)]]
        return .failed(KrakenDialect().answer(HTTPResponse(status: 200, body: body.encoded), to: .balances, now: now))
    }

    private func symbol(_ json: JSON) -> TradingSymbol? { json["symbol"].flatMap(KrakenReport.symbol) }

    private func quantity(_ json: JSON) -> Quantity? { json.number.flatMap(Quantity.init(number:)) }

    private func quote(_ json: JSON) -> Quote? {
        guard let symbol = symbol(json), let bid = json["bid"].flatMap(quantity),
            let ask = json["ask"].flatMap(quantity),
            let bidAmount = json["bid_qty"].flatMap(quantity), let askAmount = json["ask_qty"].flatMap(quantity)
        else { return nil }
        return Quote(symbol: symbol, bid: bid, bidAmount: bidAmount, ask: ask, askAmount: askAmount)
    }

    private func trade(_ json: JSON) -> MarketTrade? {
        guard let symbol = symbol(json), let price = json["price"].flatMap(quantity),
            let amount = json["qty"].flatMap(quantity), let side = json["side"].flatMap(KrakenDialect.side),
            let time = json["timestamp"].flatMap(KrakenReport.moment)
        else { return nil }
        return MarketTrade(symbol: symbol, price: price, amount: amount, side: side, time: time)
    }
}
