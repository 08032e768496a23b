internal import Encoding
internal import ExchangeCredentials
internal import PinnedHTTP
internal import Time

/// Kraken's REST API, version 0.
struct KrakenDialect: Dialect {
    var hasNonces: Bool { true }
    /// `QueryOrders` takes at most 50 ids.
    var ordersInQuery: Int { 50 }

    /// The `deadline` of an order, in whole seconds. Kraken tells its time in whole seconds, too: the added ones keep
    /// the rounding from taking a part of the window.
    func deadline(of stamp: Stamp) -> Timestamp {
        let end = stamp.time.adding(stamp.window + ExchangeLimits.krakenRounding)
        return Timestamp(seconds: end.seconds)
    }

    // MARK: Requests

    func request(_ call: Call, at origin: Origin) -> HTTPRequest? {
        guard case .time = call else { return nil }
        return HTTPRequest(
            .get, "/0/public/Time", at: origin, repetition: .never, limit: ExchangeLimits.answerBytes)
    }

    func request(
        _ call: Call, at origin: Origin, by credential: borrowing ExchangeCredential, stamp: Stamp
    ) -> HTTPRequest? {
        let path = "/0/private/\(name(of: call))"
        var body = Array(Wire.form([("nonce", String(stamp.nonce))] + parameters(of: call, stamp)).utf8)
        credential.withPassphrase { passphrase in
            // The bytes of a body are in ordinary memory until the request has been sent.
            body += Array("&\(Wire.form([("otp", String(decoding: passphrase, as: UTF8.self))]))".utf8)
        }
        let signature = credential.secret.krakenSignature(path: path, nonce: stamp.nonce, body: body)
        return HTTPRequest(
            .post, path, at: origin,
            headers: [
                HTTPHeader("API-Key", credential.key.text), HTTPHeader("API-Sign", signature),
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
            ], body: body, repetition: .never, limit: ExchangeLimits.answerBytes)
    }

    private func name(of call: Call) -> String {
        switch call {
        case .time: "Time"
        case .balances: "Balance"
        case .rights: "GetApiKeyInfo"
        case .test, .place: "AddOrder"
        case .find, .openOrders: "OpenOrders"
        case .findClosed: "ClosedOrders"
        case .look: "QueryOrders"
        case .cancel: "CancelOrder"
        case .streamToken: "GetWebSocketsToken"
        }
    }

    private func parameters(of call: Call, _ stamp: Stamp) -> [(name: String, value: String)] {
        switch call {
        case .time, .balances, .rights, .openOrders, .streamToken: []
        case .test(let order, let id): terms(of: order, id) + [("validate", "true")]
        // The engine refuses the order after this time: this bounds how long the outcome can be unknown.
        case .place(let order, let id): terms(of: order, id) + [("deadline", deadline(of: stamp).rfc3339)]
        case .find(let id, _), .findClosed(let id): [("cl_ord_id", id.description)]
        case .look(let orders): [("txid", orders.map(\.exchangeID).joined(separator: ","))]
        case .cancel(let order): [("txid", order.exchangeID)]
        }
    }

    private func terms(of order: Order, _ id: ClientOrderID) -> [(name: String, value: String)] {
        var terms: [(name: String, value: String)] = []
        switch order.kind {
        case .market: terms.append(("ordertype", "market"))
        case .limit(let price, let time):
            terms += [("ordertype", "limit"), ("price", price.description)]
            if time == .immediateOrCancel { terms.append(("timeinforce", "IOC")) }
        }
        return terms + [
            ("pair", order.symbol.text), ("type", order.side == .buy ? "buy" : "sell"),
            ("volume", order.amount.description), ("cl_ord_id", id.description),
        ]
    }

    /// Among the open orders first: an order that closes between the two queries is then found by the second one.
    func queries(for id: ClientOrderID, _ symbol: TradingSymbol) -> [Call] { [.find(id, symbol), .findClosed(id)] }

    // MARK: Answers

    func answer(_ response: HTTPResponse, to call: Call, now: Timestamp) -> Answer {
        guard response.status == 200 else {
            if response.status == 429 {
                let pause = Wire.retryAfter(response) ?? ExchangeLimits.krakenRateLimitWait
                return .wait(WaitRecord(.rateLimit, for: max(pause, .seconds(1)), from: now))
            }
            return .unclear(.status(response.status))
        }
        guard let json = Wire.json(in: response), let list = json["error"]?.array else { return .unclear(.answer) }
        var errors: [String] = []
        for entry in list {
            guard let text = entry.string else { return .unclear(.answer) }
            // Texts that begin with W are warnings beside a result.
            if !text.hasPrefix("W") { errors.append(text) }
        }
        guard !errors.isEmpty else {
            guard let result = json["result"] else { return .unclear(.answer) }
            return .success(result)
        }
        // A result beside an error would contradict it.
        if let result = json["result"], !result.isNull { return .unclear(.answer) }
        let answers = errors.map { error($0, call, now) }
        // One error that leaves the outcome open outweighs the others; then a pause.
        for case .unclearWait(let record) in answers { return .unclearWait(record) }
        for case .unclear(let doubt) in answers { return .unclear(doubt) }
        for case .wait(let record) in answers { return .wait(record) }
        return answers.first ?? .unclear(.answer)
    }

    private enum Meaning {
        case refused(Refusal.Reason)
        case wait(Wait.Reason, Timestamp.Span)
        /// A pause whose end the text tells, in seconds since 1970. The documentation does not say that the request
        /// had no effect.
        case throttled
        case unclear
    }

    /// The documented texts. Others are told apart by their category only, and their text is not kept.
    private static let errors: [(text: String, meaning: Meaning)] = [
        ("EAPI:Invalid key", .refused(.keyOrAddressOrRight)), ("EAPI:Invalid signature", .refused(.signature)),
        ("EAPI:Invalid nonce", .refused(.nonce)),
        ("EAPI:Rate limit exceeded", .wait(.callCounter, ExchangeLimits.krakenRateLimitWait)),
        ("EGeneral:Too many requests", .wait(.rateLimit, ExchangeLimits.krakenRateLimitWait)),
        ("EOrder:Rate limit exceeded", .wait(.rateLimit, ExchangeLimits.krakenRateLimitWait)),
        ("EGeneral:Temporary lockout", .wait(.lockout, ExchangeLimits.lockoutWait)),
        ("EGeneral:Permission denied", .refused(.keyOrAddressOrRight)),
        ("EGeneral:Invalid arguments", .refused(.parameter)), ("EGeneral:Unknown method", .refused(.parameter)),
        ("EService:Throttled", .throttled), ("EGeneral:Internal error", .unclear), ("EService:Unavailable", .unclear),
        ("EService:Busy", .unclear),
        ("EService:Timeout", .unclear), ("EService:Deadline elapsed", .refused(.time)),
        ("EService:Market in cancel_only mode", .refused(.marketClosed)),
        ("EService:Market in post_only mode", .refused(.marketClosed)),
        ("EService:Market in limit_only mode", .refused(.marketClosed)),
        ("EOrder:Insufficient funds", .refused(.funds)), ("EOrder:Insufficient margin", .refused(.funds)),
        ("EOrder:Order minimum not met", .refused(.amount)), ("EOrder:Cost minimum not met", .refused(.amount)),
        ("EOrder:Tick size check failed", .refused(.price)), ("EOrder:Invalid price", .refused(.price)),
        ("EOrder:Orders limit exceeded", .refused(.tooManyOrders)),
        ("EOrder:Positions limit exceeded", .refused(.tooManyOrders)),
        ("EOrder:Unknown order", .refused(.noSuchOrder)), ("EOrder:Trading agreement required", .refused(.other)),
        ("EQuery:Unknown asset pair", .refused(.symbol)),
    ]

    private func error(_ told: String, _ call: Call, _ now: Timestamp) -> Answer {
        // Kraken writes a few texts with a space after their category: "EService: Throttled: [UNIX timestamp]".
        let parts = told.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts.count == 2 ? "\(parts[0]):\(parts[1].drop { $0 == " " })" : told
        // The documentation says that ids of open orders are unique, and not with which text a second one is refused.
        let lower = text.lowercased()
        if lower.contains("cl_ord_id") || lower.contains("duplicate") { return .unclear(.duplicate) }
        let known = Self.errors.first { text == $0.text || text.hasPrefix($0.text + ":") }
        switch known?.meaning {
        case .refused(let reason): return .refused(Refusal(reason: reason, code: known?.text ?? ""))
        case .wait(let reason, let time): return .wait(WaitRecord(reason, for: time, from: now))
        case .throttled:
            let record = WaitRecord(.rateLimit, for: pause(in: text, now), from: now)
            return call.isOrder || call.isCancelling ? .unclearWait(record) : .wait(record)
        case .unclear: return .unclear(.exchange)
        case nil: break
        }
        for category in ["EOrder", "EAPI", "EQuery", "EFunding", "EAuth"] where text.hasPrefix(category + ":") {
            return .refused(Refusal(reason: .other, code: category))
        }
        return .unclear(.exchange)
    }

    /// Returns the pause whose end a text tells. The difference of the clocks is within the margin of two seconds.
    private func pause(in text: String, _ now: Timestamp) -> Timestamp.Span {
        guard let digits = text.split(separator: ":").last?.filter({ !" []".contains($0) }), digits.utf8.count == 10,
            let seconds = Int64(digits)
        else { return ExchangeLimits.krakenRateLimitWait }
        return max(Timestamp(seconds: seconds).since(now), .zero) + .seconds(2)
    }

    // MARK: Results

    func time(in result: JSON) -> Timestamp? {
        guard let seconds = result["unixtime"]?.number?.integer(as: UInt64.self), seconds < 100_000_000_000 else {
            return nil
        }
        return Timestamp(seconds: Int64(seconds))
    }

    func balances(in result: JSON) -> AccountBalances? {
        guard let members = result.object?.members, members.count <= ExchangeLimits.assets else { return nil }
        var balances: [AssetBalance] = []
        var unreadable = 0
        for member in members {
            guard let text = member.value.string else { return nil }
            let amount = Wire.signed(text)
            if let amount, amount.amount.isZero { continue }
            guard let amount, let asset = Wire.asset(member.name) else {
                unreadable += 1
                continue
            }
            balances.append(
                AssetBalance(asset: asset, free: amount.amount, locked: nil, isOwed: amount.isNegative))
        }
        return AccountBalances(assets: balances, unreadable: unreadable)
    }

    private static let rights: [(name: String, right: KeyRight)] = [
        ("query-funds", .read), ("query-open-trades", .read), ("query-closed-trades", .read), ("query-ledger", .read),
        ("modify-trades", .trade), ("close-trades", .trade), ("add-funds", .deposit), ("withdraw-funds", .withdraw),
        ("earn-funds", .earn), ("export-data", .export),
    ]

    func rights(in result: JSON, of key: APIKey) -> KeyRights? {
        // Rights of another key say nothing about this one. A text in another form, such as a shortened one, names none.
        if let text = result["apiKey"]?.string, let named = try? APIKey(text, of: .kraken), named != key { return nil }
        guard let names = result["permissions"]?.array, names.count <= CredentialLimits.rights,
            let list = result["ipAllowlist"], let addresses = list.isNull ? [] : list.array
        else { return nil }
        var rights: [KeyRight] = []
        var unreadable = 0
        for name in names {
            guard let name = name.string else { return nil }
            let right = Self.rights.first { $0.name == name }?.right ?? KeyRight(unknown: name)
            guard let right else {
                unreadable += 1
                continue
            }
            if !rights.contains(right) { rights.append(right) }
        }
        return KeyRights(
            rights: rights, unreadable: unreadable,
            isRestrictedToAddresses: !addresses.isEmpty && addresses.allSatisfy(restricts),
            created: moment(result["createdTime"]), expires: moment(result["validUntil"]),
            lastUsed: moment(result["lastUsed"]), nonceWindow: number(result["nonceWindow"]) ?? 0)
    }

    /// Whether an entry of a list of addresses names few of them. The whole internet, half of it, and an entry that
    /// cannot be read restrict nothing.
    private func restricts(_ entry: JSON) -> Bool {
        guard let text = entry.string, !text.isEmpty,
            text.unicodeScalars.allSatisfy({ $0.properties.isASCIIHexDigit || ".:/".unicodeScalars.contains($0) })
        else { return false }
        let isIPv6 = text.contains(":")
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        // The address that stands for all has several forms: 0.0.0.0, ::, 0:0:0:0:0:0:0:0.
        guard parts.count == 2 else { return parts.count == 1 && !text.allSatisfy { "0:.".contains($0) } }
        return Int(parts[1]).map { $0 >= (isIPv6 ? ExchangeLimits.widestIPv6 : ExchangeLimits.widestIPv4) } ?? false
    }

    /// Reads a whole number, which Kraken writes as a number or as a string.
    private func number(_ value: JSON?) -> UInt64? {
        value?.number?.integer(as: UInt64.self) ?? value?.string.flatMap { UInt64($0) }
    }

    /// Reads a time in seconds; nil for 0, which means none.
    private func moment(_ value: JSON?) -> Timestamp? {
        guard let seconds = number(value), seconds > 0, seconds < 100_000_000_000 else { return nil }
        return Timestamp(seconds: Int64(seconds))
    }

    var accountCall: Call { .rights }

    func account(in result: JSON) -> String? {
        // Groups of an account number may be divided by spaces.
        guard let name = result["iban"]?.string?.filter({ $0 != " " }),
            (1...ExchangeLimits.nameCharacters).contains(name.utf8.count),
            name.unicodeScalars.allSatisfy(InputCheck.isAlphanumeric)
        else { return nil }
        return name
    }

    func placed(in result: JSON, as id: ClientOrderID, _ order: Order) -> PlacedOrder? {
        guard let ids = result["txid"]?.array, ids.count == 1, let exchangeID = ids.first?.string else { return nil }
        return PlacedOrder(id: id, exchangeID: exchangeID, status: .accepted, filled: nil)
    }

    func found(in answer: Answer, _ id: ClientOrderID, _ order: Order) -> Found {
        guard case .success(let result) = answer, let list = result["open"] ?? result["closed"] else {
            return .unclear
        }
        return found(inQuery: list, id, order)
    }

    /// Returns the order that an answer of QueryOrders has.
    func found(inQuery result: JSON, _ id: ClientOrderID, _ order: Order) -> Found {
        guard let list = result.object, list.members.count <= ExchangeLimits.ordersInAnswer else { return .unclear }
        var found: Found = .nothing
        for member in list.members {
            // An exchange that ignores the filter returns other orders, and perhaps not the one in question.
            guard member.value["cl_ord_id"]?.string == id.description else {
                if found == .nothing { found = .unclear }
                continue
            }
            let placed = PlacedOrder(
                id: id, exchangeID: member.name, status: status(of: member.value),
                filled: member.value["vol_exec"]?.string.flatMap(Quantity.init(answer:)))
            guard let placed else { return .unclear }
            guard let terms = member.value["descr"], terms["type"]?.string == (order.side == .buy ? "buy" : "sell"),
                terms["ordertype"]?.string == (order.price == nil ? "market" : "limit"),
                order.price == nil || Wire.price(terms["price"]) == order.price,
                member.value["vol"]?.string.flatMap(Quantity.init(answer:)) == order.amount
            else { return .otherTerms }
            found = .order(placed)
        }
        return found
    }

    private func status(of order: JSON) -> PlacedOrder.Status {
        switch order["status"]?.string {
        case "pending", "open": .open
        case "closed": .filled
        case "canceled", "expired": .ended
        default: .accepted
        }
    }

    // MARK: Open orders

    func openOrders(in result: JSON) -> OpenOrders? {
        guard let list = result["open"]?.object?.members, list.count <= ExchangeLimits.ordersInAnswer else {
            return nil
        }
        return OpenOrders(list.map { listed($0.name, $0.value) })
    }

    private func listed(_ exchangeID: String, _ entry: JSON) -> ListedOrder? {
        guard ListedOrder.isID(exchangeID), let terms = entry["descr"],
            let symbol = terms["pair"]?.string.flatMap({ try? TradingSymbol($0, on: .kraken) }),
            let side = terms["type"].flatMap(Self.side), let type = terms["ordertype"]?.string.flatMap(Wire.word),
            let amount = entry["vol"]?.string.flatMap(Quantity.init(answer:)), let state = state(in: entry)
        else { return nil }
        return ListedOrder(
            exchangeID: exchangeID, clientID: entry["cl_ord_id"]?.string.flatMap { try? ClientOrderID($0) },
            symbol: symbol, side: side, type: type, amount: amount, price: Wire.price(terms["price"]),
            created: opened(entry["opentm"]),
            state: state)
    }

    /// Reads a time in seconds with decimal places.
    private func opened(_ value: JSON?) -> Timestamp? {
        guard let seconds = value?.number?.text.prefix(while: { $0 != "." }), let whole = UInt64(seconds),
            whole < 100_000_000_000
        else { return nil }
        return Timestamp(seconds: Int64(whole))
    }

    static func side(_ json: JSON) -> Order.Side? {
        switch json.string {
        case "buy": .buy
        case "sell": .sell
        default: nil
        }
    }

    private func state(in entry: JSON) -> ListedOrder.State? {
        guard let filled = entry["vol_exec"]?.string.flatMap(Quantity.init(answer:)) else { return nil }
        let status = status(of: entry)
        return ListedOrder.State(status: status == .open && !filled.isZero ? .partlyFilled : status, filled: filled)
    }

    func state(of order: ListedOrder, in result: JSON) -> ListedOrder.State? {
        result[order.exchangeID].flatMap(state(in:))
    }
}
