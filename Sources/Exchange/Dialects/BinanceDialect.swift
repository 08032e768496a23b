internal import Encoding
internal import ExchangeCredentials
internal import PinnedHTTP
internal import Time

/// Binance's REST API, version 3, and its wallet API for the rights of a key.
struct BinanceDialect: Dialect {
    var hasNonces: Bool { false }
    var ordersInQuery: Int { 1 }

    /// The last time at which `serverTime - timestamp <= recvWindow`.
    func deadline(of stamp: Stamp) -> Timestamp { stamp.time.adding(stamp.window) }

    // MARK: Requests

    func request(_ call: Call, at origin: Origin) -> HTTPRequest? {
        guard case .time = call else { return nil }
        return HTTPRequest(
            .get, "/api/v3/time", at: origin, repetition: .never, limit: ExchangeLimits.answerBytes)
    }

    func request(
        _ call: Call, at origin: Origin, by credential: borrowing ExchangeCredential, stamp: Stamp
    ) -> HTTPRequest? {
        let (method, path, own) = parts(of: call)
        let payload = Wire.form(
            own + [("recvWindow", String(stamp.window.milliseconds)), ("timestamp", String(stamp.time.milliseconds))])
        let signature = credential.secret.binanceSignature(of: Array(payload.utf8))
        let signed = payload + "&" + Wire.form([("signature", signature)])
        var headers = [HTTPHeader("X-MBX-APIKEY", credential.key.text)]
        guard method == .post else {
            return HTTPRequest(
                method, "\(path)?\(signed)", at: origin, headers: headers, repetition: .never,
                limit: ExchangeLimits.answerBytes)
        }
        headers.append(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"))
        return HTTPRequest(
            .post, path, at: origin, headers: headers, body: Array(signed.utf8), repetition: .never,
            limit: ExchangeLimits.answerBytes)
    }

    private func parts(of call: Call) -> (HTTPRequest.Method, String, [(name: String, value: String)]) {
        switch call {
        case .time: (.get, "/api/v3/time", [])
        case .balances: (.get, "/api/v3/account", [("omitZeroBalances", "true")])
        case .rights: (.get, "/sapi/v1/account/apiRestrictions", [])
        // The signature does not cover the path. A parameter that only the test has makes the same bytes invalid as an
        // order: -1104, not all parameters were read.
        case .test(let order, let id):
            (.post, "/api/v3/order/test", terms(of: order, id) + [("computeCommissionRates", "false")])
        case .place(let order, let id):
            (.post, "/api/v3/order", terms(of: order, id) + [("newOrderRespType", "RESULT")])
        case .find(let id, let symbol):
            (.get, "/api/v3/order", [("symbol", symbol.text), ("origClientOrderId", id.description)])
        // Binance has one query for all orders.
        case .findClosed(let id): (.get, "/api/v3/order", [("origClientOrderId", id.description)])
        case .openOrders(let symbol): (.get, "/api/v3/openOrders", symbol.map { [("symbol", $0.text)] } ?? [])
        case .look(let orders): (.get, "/api/v3/order", orders.first.map(parameters) ?? [])
        case .cancel(let order): (.delete, "/api/v3/order", parameters(of: OrderName(order)))
        case .streamToken: preconditionFailure("a subscription at Binance has a signature and no token")
        }
    }

    /// An order's number belongs to its market.
    private func parameters(of order: OrderName) -> [(name: String, value: String)] {
        [("symbol", order.symbol.text), ("orderId", order.exchangeID)]
    }

    private func terms(of order: Order, _ id: ClientOrderID) -> [(name: String, value: String)] {
        var terms = [("symbol", order.symbol.text), ("side", order.side == .buy ? "BUY" : "SELL")]
        switch order.kind {
        case .market: terms.append(("type", "MARKET"))
        case .limit(let price, let time):
            terms += [
                ("type", "LIMIT"), ("timeInForce", time == .untilCancelled ? "GTC" : "IOC"),
                ("price", price.description),
            ]
        }
        terms += [("quantity", order.amount.description), ("newClientOrderId", id.description)]
        return terms.map { (name: $0.0, value: $0.1) }
    }

    func queries(for id: ClientOrderID, _ symbol: TradingSymbol) -> [Call] { [.find(id, symbol)] }

    // MARK: Answers

    func answer(_ response: HTTPResponse, to call: Call, now: Timestamp) -> Answer {
        switch response.status {
        case 429:
            return .wait(WaitRecord(.rateLimit, for: pause(in: response, ExchangeLimits.rateLimitWait, now), from: now))
        case 418:
            return .wait(WaitRecord(.ban, for: pause(in: response, ExchangeLimits.banWait, now), from: now))
        case 200..<300:
            guard let json = Wire.json(in: response) else { return .unclear(.answer) }
            // An error code contradicts a status of success: neither is believed.
            if let code = json["code"]?.number?.integer(as: Int.self), code < 0 { return .unclear(.answer) }
            return .success(json)
        case 400..<500:
            // Binance's codes are negative. Another number is a gateway's, which does not know the request's effect.
            guard let json = Wire.json(in: response), let code = json["code"]?.number?.integer(as: Int.self), code < 0
            else {
                // The documentation says that a firewall answers 403 before the exchange sees the request. An
                // intermediary that answers so later would not be told from it: an order is looked up.
                if response.status == 403, !call.isOrder {
                    return .wait(WaitRecord(.firewall, for: ExchangeLimits.firewallWait, from: now))
                }
                return .unclear(.status(response.status))
            }
            return error(code, json, now)
        default: return .unclear(.status(response.status))
        }
    }

    private func pause(in response: HTTPResponse, _ usual: Timestamp.Span, _ now: Timestamp) -> Timestamp.Span {
        // An intermediary may say 0; a request at once would end in a longer ban.
        if let told = Wire.retryAfter(response) { return max(told, .seconds(1)) }
        let message = Wire.json(in: response)?["msg"]?.string ?? ""
        guard let end = message.split(separator: "until ").last?.prefix(while: \.isWholeNumber), end.utf8.count == 13,
            let milliseconds = Int64(end)
        else { return usual }
        // The message has the exchange's time. The difference of the clocks is within the margin of a minute.
        return max(Timestamp(milliseconds: milliseconds).since(now) + .seconds(1), usual)
    }

    private func error(_ code: Int, _ json: JSON, _ now: Timestamp) -> Answer {
        func refused(_ reason: Refusal.Reason) -> Answer { .refused(Refusal(reason: reason, code: String(code))) }
        let message = json["msg"]?.string ?? ""
        switch code {
        // Unknown, disconnected, unexpected response, time-out: the outcome is unknown. Busy: documented as a failure,
        // but an order is looked up, which costs one query.
        case -1000, -1001, -1006, -1007, -1008: return .unclear(.exchange)
        case -1003:
            return .wait(WaitRecord(.rateLimit, for: ExchangeLimits.rateLimitWait, from: now))
        case -1002, -2015: return refused(.keyOrAddressOrRight)
        case -2014: return refused(.keyForm)
        case -1022: return refused(.signature)
        case -1021: return .clock(Refusal(reason: .time, code: String(code)))
        case -1015: return refused(.tooManyOrders)
        case -1121: return refused(.symbol)
        case -1013: return refused(filter(in: message))
        case (-1199)...(-1100): return refused(.parameter)
        case -2010:
            // An order with this id is open: perhaps the one that was to be placed.
            if message == "Duplicate order sent." { return .unclear(.duplicate) }
            return refused(rejection(in: message))
        case -1014, -1020: return refused(.parameter)
        // Other faults of the server or the network: the documentation does not say that the order was not accepted.
        case (-1099)...(-1000): return .unclear(.exchange)
        case -2013, -2026: return refused(.noSuchOrder)
        default: return refused(.other)
        }
    }

    private func filter(in message: String) -> Refusal.Reason {
        guard message.hasPrefix("Filter failure: ") else { return .parameter }
        let name = message.dropFirst("Filter failure: ".count)
        if name.contains("PRICE") { return .price }
        if name.contains("LOT_SIZE") || name.contains("NOTIONAL") { return .amount }
        if name.contains("NUM_") { return .tooManyOrders }
        return .other
    }

    private func rejection(in message: String) -> Refusal.Reason {
        switch message {
        case "Account has insufficient balance for requested action.": .funds
        case "Market is closed.": .marketClosed
        case "This symbol is not permitted for this account.", "This action is disabled on this account.",
            "Rest API trading is not enabled.":
            .keyOrAddressOrRight
        default: .other
        }
    }

    // MARK: Results

    func time(in result: JSON) -> Timestamp? {
        result["serverTime"]?.number?.integer(as: UInt64.self).map(Timestamp.init(told:))
    }

    func balances(in result: JSON) -> AccountBalances? {
        guard let list = result["balances"]?.array, list.count <= ExchangeLimits.assets else { return nil }
        var balances: [AssetBalance] = []
        var unreadable = 0
        for entry in list {
            guard let name = entry["asset"]?.string, let free = entry["free"]?.string,
                let locked = entry["locked"]?.string
            else { return nil }
            guard let free = Quantity(answer: free), let locked = Quantity(answer: locked) else {
                unreadable += 1
                continue
            }
            if free.isZero && locked.isZero { continue }
            guard let asset = Wire.asset(name) else {
                unreadable += 1
                continue
            }
            balances.append(AssetBalance(asset: asset, free: free, locked: locked, isOwed: false))
        }
        return AccountBalances(assets: balances, unreadable: unreadable)
    }

    private static let rights: [(member: String, right: KeyRight)] = [
        ("enableReading", .read), ("enableSpotAndMarginTrading", .trade), ("enableWithdrawals", .withdraw),
        ("enableInternalTransfer", .internalTransfer), ("permitsUniversalTransfer", .transfer),
        ("enableMargin", .margin), ("enableFutures", .futures), ("enableVanillaOptions", .options),
        ("enablePortfolioMarginTrading", .portfolioMargin), ("enableFixApiTrade", .fixTrading),
        ("enableFixReadOnly", .fixReading),
    ]

    /// The answer does not name the key.
    func rights(in result: JSON, of key: APIKey) -> KeyRights? {
        guard let members = result.object?.members, members.count <= CredentialLimits.rights,
            let isRestricted = result["ipRestrict"]?.bool, result["enableReading"]?.bool != nil,
            // Without this member, the answer says nothing about the most dangerous right.
            result["enableWithdrawals"]?.bool != nil
        else { return nil }
        var rights: [KeyRight] = []
        var unreadable = 0
        for member in members where member.value.bool == true && member.name != "ipRestrict" {
            if let known = Self.rights.first(where: { $0.member == member.name }) {
                rights.append(known.right)
            } else if let unknown = KeyRight(unknown: member.name) {
                rights.append(unknown)
            } else {
                unreadable += 1
            }
        }
        func moment(_ name: String) -> Timestamp? {
            result[name]?.number?.integer(as: UInt64.self).map(Timestamp.init(told:))
        }
        return KeyRights(
            rights: rights, unreadable: unreadable, isRestrictedToAddresses: isRestricted,
            created: moment("createTime"), expires: moment("tradingAuthorityExpirationTime"), lastUsed: nil,
            nonceWindow: 0)
    }

    var accountCall: Call { .balances }

    func account(in result: JSON) -> String? {
        result["uid"]?.number?.integer(as: UInt64.self).flatMap { $0 == 0 ? nil : String($0) }
    }

    func placed(in result: JSON, as id: ClientOrderID, _ order: Order) -> PlacedOrder? {
        // The engine refused an order that the interface had accepted, or the terms are others: a query tells it.
        guard result["status"]?.string != "REJECTED", hasTerms(result, of: order) else { return nil }
        return described(in: result, as: id)
    }

    private func described(in result: JSON, as id: ClientOrderID) -> PlacedOrder? {
        guard result["clientOrderId"]?.string == id.description,
            let number = result["orderId"]?.number?.integer(as: UInt64.self)
        else { return nil }
        return PlacedOrder(
            id: id, exchangeID: String(number),
            status: result["status"]?.string.flatMap(Self.status) ?? .accepted,
            filled: result["executedQty"]?.string.flatMap(Quantity.init(answer:)))
    }

    private func hasTerms(_ result: JSON, of order: Order) -> Bool {
        guard result["symbol"]?.string == order.symbol.text,
            result["side"]?.string == (order.side == .buy ? "BUY" : "SELL"),
            result["origQty"]?.string.flatMap(Quantity.init(answer:)) == order.amount
        else { return false }
        guard let price = order.price else { return result["type"]?.string == "MARKET" }
        return result["type"]?.string == "LIMIT" && Wire.price(result["price"]) == price
    }

    private static func status(_ text: String) -> PlacedOrder.Status? {
        switch text {
        case "NEW", "PENDING_NEW", "PENDING_CANCEL": .open
        case "PARTIALLY_FILLED": .partlyFilled
        case "FILLED": .filled
        case "CANCELED", "EXPIRED", "EXPIRED_IN_MATCH": .ended
        default: nil
        }
    }

    func found(in answer: Answer, _ id: ClientOrderID, _ order: Order) -> Found {
        switch answer {
        case .success(let result):
            guard let placed = described(in: result, as: id) else { return .unclear }
            guard hasTerms(result, of: order) else { return .otherTerms }
            // The engine refused it after the request had been accepted.
            if result["status"]?.string == "REJECTED" { return .refused(Refusal(reason: .other, code: "REJECTED")) }
            return .order(placed)
        case .refused(let refusal) where refusal.code == "-2013": return .nothing
        default: return .unclear
        }
    }

    // MARK: Open orders

    func openOrders(in result: JSON) -> OpenOrders? {
        guard let list = result.array, list.count <= ExchangeLimits.ordersInAnswer else { return nil }
        return OpenOrders(list.map(listed))
    }

    private func listed(_ entry: JSON) -> ListedOrder? {
        guard let number = entry["orderId"]?.number?.integer(as: UInt64.self),
            let symbol = entry["symbol"]?.string.flatMap({ try? TradingSymbol($0, on: .binance) }),
            let side = entry["side"].flatMap(Self.side), let type = entry["type"]?.string.flatMap(Wire.word),
            let amount = entry["origQty"]?.string.flatMap(Quantity.init(answer:)), let state = state(in: entry)
        else { return nil }
        return ListedOrder(
            exchangeID: String(number), clientID: entry["clientOrderId"]?.string.flatMap { try? ClientOrderID($0) },
            symbol: symbol, side: side, type: type, amount: amount, price: Wire.price(entry["price"]),
            created: entry["time"]?.number?.integer(as: UInt64.self).map(Timestamp.init(told:)), state: state)
    }

    static func side(_ json: JSON) -> Order.Side? {
        switch json.string {
        case "BUY": .buy
        case "SELL": .sell
        default: nil
        }
    }

    private func state(in entry: JSON) -> ListedOrder.State? {
        guard let status = entry["status"]?.string,
            let filled = entry["executedQty"]?.string.flatMap(Quantity.init(answer:))
        else { return nil }
        // The engine refused it: nothing of it is open.
        return ListedOrder.State(
            status: status == "REJECTED" ? .ended : Self.status(status) ?? .accepted, filled: filled)
    }

    func state(of order: ListedOrder, in result: JSON) -> ListedOrder.State? {
        guard result["orderId"]?.number?.integer(as: UInt64.self).map(String.init) == order.exchangeID,
            result["symbol"]?.string == order.symbol.text
        else { return nil }
        return state(in: result)
    }
}
