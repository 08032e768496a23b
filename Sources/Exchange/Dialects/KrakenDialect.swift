internal import Encoding
internal import PinnedHTTP
internal import Secrets

/// Kraken's REST API, version 0.
struct KrakenDialect: Dialect {
    var hasNonces: Bool { true }

    /// The `deadline` of an order, in whole seconds. Kraken tells its time in whole seconds, too: the added ones keep
    /// the rounding from taking a part of the window.
    func deadline(of stamp: Stamp) -> Moment {
        let end = stamp.time.adding(stamp.window + ExchangeLimits.krakenRounding)
        return Moment(milliseconds: end.milliseconds / 1_000 * 1_000)
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
        case .find: "OpenOrders"
        case .findClosed: "ClosedOrders"
        }
    }

    private func parameters(of call: Call, _ stamp: Stamp) -> [(name: String, value: String)] {
        switch call {
        case .time, .balances, .rights: []
        case .test(let order, let id): terms(of: order, id) + [("validate", "true")]
        // The engine refuses the order after this time: this bounds how long the outcome can be unknown.
        case .place(let order, let id): terms(of: order, id) + [("deadline", deadline(of: stamp).rfc3339)]
        case .find(let id, _), .findClosed(let id): [("cl_ord_id", id.description)]
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

    func answer(_ response: HTTPResponse, to call: Call, now: Moment) -> Answer {
        guard response.status == 200 else {
            if response.status == 429 {
                let pause = Wire.retryAfter(response) ?? ExchangeLimits.krakenRateLimitWait
                return .wait(WaitRecord(.rateLimit, for: max(pause, 1_000), from: now))
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
        let answers = errors.map { error($0, now) }
        // One error that leaves the outcome open outweighs the others; then a pause.
        for case .unclear(let doubt) in answers { return .unclear(doubt) }
        for case .wait(let record) in answers { return .wait(record) }
        return answers.first ?? .unclear(.answer)
    }

    private enum Meaning {
        case refused(Refusal.Reason)
        case wait(Wait.Reason, UInt64)
        case unclear
    }

    /// The documented texts. Others are told apart by their category only, and their text is not kept.
    private static let errors: [(text: String, meaning: Meaning)] = [
        ("EAPI:Invalid key", .refused(.keyOrAddressOrRight)), ("EAPI:Invalid signature", .refused(.signature)),
        ("EAPI:Invalid nonce", .refused(.nonce)),
        ("EAPI:Rate limit exceeded", .wait(.rateLimit, ExchangeLimits.krakenRateLimitWait)),
        ("EGeneral:Too many requests", .wait(.rateLimit, ExchangeLimits.krakenRateLimitWait)),
        ("EOrder:Rate limit exceeded", .wait(.rateLimit, ExchangeLimits.krakenRateLimitWait)),
        ("EGeneral:Temporary lockout", .wait(.lockout, ExchangeLimits.lockoutWait)),
        ("EGeneral:Permission denied", .refused(.keyOrAddressOrRight)),
        ("EGeneral:Invalid arguments", .refused(.parameter)), ("EGeneral:Unknown method", .refused(.parameter)),
        ("EGeneral:Internal error", .unclear), ("EService:Unavailable", .unclear), ("EService:Busy", .unclear),
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

    private func error(_ text: String, _ now: Moment) -> Answer {
        // The documentation says that ids of open orders are unique, and not with which text a second one is refused.
        let lower = text.lowercased()
        if lower.contains("cl_ord_id") || lower.contains("duplicate") { return .unclear(.duplicate) }
        let known = Self.errors.first { text == $0.text || text.hasPrefix($0.text + ":") }
        switch known?.meaning {
        case .refused(let reason): return .refused(Refusal(reason: reason, code: known?.text ?? ""))
        case .wait(let reason, let time): return .wait(WaitRecord(reason, for: time, from: now))
        case .unclear: return .unclear(.exchange)
        case nil: break
        }
        for category in ["EOrder", "EAPI", "EQuery", "EFunding", "EAuth"] where text.hasPrefix(category + ":") {
            return .refused(Refusal(reason: .other, code: category))
        }
        return .unclear(.exchange)
    }

    // MARK: Results

    func time(in result: JSON) -> Moment? {
        guard let seconds = result["unixtime"]?.number?.integer(as: UInt64.self), seconds < 100_000_000_000 else {
            return nil
        }
        return Moment(milliseconds: seconds * 1_000)
    }

    func balances(in result: JSON) -> [AssetBalance]? {
        guard let members = result.object?.members, members.count <= ExchangeLimits.assets else { return nil }
        var balances: [AssetBalance] = []
        for member in members {
            guard let asset = Wire.asset(member.name), let (amount, isOwed) = member.value.string.flatMap(Wire.signed)
            else { return nil }
            if amount.isZero { continue }
            balances.append(AssetBalance(asset: asset, free: amount, locked: nil, isOwed: isOwed))
        }
        return balances
    }

    private static let rights: [(name: String, right: KeyRight)] = [
        ("query-funds", .read), ("query-open-trades", .read), ("query-closed-trades", .read), ("query-ledger", .read),
        ("modify-trades", .trade), ("close-trades", .trade), ("add-funds", .deposit), ("withdraw-funds", .withdraw),
        ("earn-funds", .earn), ("export-data", .export),
    ]

    func rights(in result: JSON) -> KeyRights? {
        guard let names = result["permissions"]?.array, names.count <= ExchangeLimits.rights,
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
            rights: rights, unreadable: unreadable, isRestrictedToAddresses: !addresses.isEmpty,
            created: moment(result["createdTime"]), expires: moment(result["validUntil"]),
            lastUsed: moment(result["lastUsed"]), nonceWindow: number(result["nonceWindow"]) ?? 0)
    }

    /// Reads a whole number, which Kraken writes as a number or as a string.
    private func number(_ value: JSON?) -> UInt64? {
        value?.number?.integer(as: UInt64.self) ?? value?.string.flatMap { UInt64($0) }
    }

    /// Reads a time in seconds; nil for 0, which means none.
    private func moment(_ value: JSON?) -> Moment? {
        guard let seconds = number(value), seconds > 0, seconds < 100_000_000_000 else { return nil }
        return Moment(milliseconds: seconds * 1_000)
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

    func placed(in result: JSON, as id: ClientOrderID) -> PlacedOrder? {
        guard let ids = result["txid"]?.array, ids.count == 1, let exchangeID = ids.first?.string else { return nil }
        return PlacedOrder(id: id, exchangeID: exchangeID, status: .accepted, filled: nil)
    }

    func found(in answer: Answer, _ id: ClientOrderID, _ order: Order) -> Found {
        guard case .success(let result) = answer, let list = (result["open"] ?? result["closed"])?.object,
            list.members.count <= ExchangeLimits.ordersInAnswer
        else { return .unclear }
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
            guard member.value["descr"]?["type"]?.string == (order.side == .buy ? "buy" : "sell"),
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
}
