import Crypto
import Exchange
import ExchangeCredentials
import Foundation
import PinnedHTTP
import Synchronization
import Time

/// The other side: an exchange that checks keys, signatures, times and nonces as the exchanges document, and misbehaves
/// as a test asks.
final class FakeExchange: HTTPTransport {
    /// What goes wrong with the next request for a path.
    enum Trouble: Sendable {
        /// Nothing listens: no byte leaves.
        case notConnected
        /// The connection ends before the request is read.
        case cutBefore
        /// The request takes effect, and the connection ends before the answer.
        case cutAfter
        /// The request takes effect, and the answer does not come in time.
        case timeOut
        /// The answer does not come in time, and the request arrives this many milliseconds later.
        case late(Int64)
        /// The request takes effect; queries show it this many milliseconds later. The answer is lost.
        case hidden(Int64)
        /// The request takes effect, and the answer is this one.
        case answerAfter(status: Int, body: String, headers: [HTTPHeader])
        /// The answer is this one, and the request has no effect.
        case answerInstead(status: Int, body: String, headers: [HTTPHeader])
        /// The request takes effect, and the answer is longer than the client allows.
        case huge
    }

    struct Sent: Sendable {
        let method: String
        let target: String
        let path: String
        let form: [String: String]
        let headers: [HTTPHeader]
        let body: [UInt8]
        let at: Int64
        /// Whether the transport may send it again.
        let isRepeatable: Bool
    }

    struct Placed: Sendable {
        let clientID: String
        let exchangeID: String
        let symbol: String
        let side: String
        let amount: String
        let type: String
        let price: String
        let visibleFrom: Int64
    }

    private struct State {
        var troubles: [String: [Trouble]] = [:]
        var sent: [Sent] = []
        var placed: [Placed] = []
        var late: [(due: Int64, request: HTTPRequest)] = []
        var nonce: UInt64 = 0
        var offset: Int64 = 0
        var results: [String: String] = [:]
        var resultsByKey: [String: @Sendable (String) -> String] = [:]
        var ignoresFilter = false
        /// The time at which a late request arrives.
        var arrivalTime: Int64?
    }

    let venue: Venue
    private let time: TestTime
    private let keys: Mutex<Set<String>>
    private let check: @Sendable (_ payload: [UInt8], _ path: String, _ nonce: String, _ signature: String) -> Bool
    private let state: Mutex<State>
    /// Is called when a request arrives, before it takes effect.
    private let arrival = Mutex<(@Sendable (Sent) async -> Void)?>(nil)

    init(
        _ venue: Venue, time: TestTime, key: String,
        check: @escaping @Sendable ([UInt8], String, String, String) -> Bool
    ) {
        self.venue = venue
        self.time = time
        keys = Mutex([key])
        self.check = check
        state = Mutex(State())
    }

    // MARK: What a test arranges and sees

    /// The requests, in their order.
    var sent: [Sent] { state.withLock { $0.sent } }
    /// The orders that took effect.
    var placed: [Placed] { state.withLock { $0.placed } }
    /// The path of orders.
    var orderPath: String { venue == .binance ? "/api/v3/order" : "/0/private/AddOrder" }
    var orders: [Sent] { sent.filter { $0.path == orderPath && $0.method == "POST" } }

    func next(_ troubles: Trouble..., at path: String? = nil) {
        let path = path ?? "POST " + orderPath
        state.withLock { $0.troubles[path, default: []] += troubles }
    }

    /// Sets the exchange's clock this many milliseconds ahead of the test's.
    func setAhead(_ milliseconds: Int64) { state.withLock { $0.offset = milliseconds } }
    func answer(_ path: String, with result: String) { state.withLock { $0.results[path] = result } }
    /// Answers requests for a path as the body says for the key of the request.
    func answerByKey(_ path: String, with body: @escaping @Sendable (String) -> String) {
        state.withLock { $0.resultsByKey[path] = body }
    }
    func ignoreFilter() { state.withLock { $0.ignoresFilter = true } }
    func onArrival(_ body: @escaping @Sendable (Sent) async -> Void) { arrival.withLock { $0 = body } }
    func forgetOrders() { state.withLock { $0.placed = [] } }

    private var serverTime: Int64 {
        state.withLock { ($0.arrivalTime ?? time.now) + $0.offset }
    }

    // MARK: Transport

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let sent = read(request)
        let key = "\(sent.method) \(sent.path)"
        let trouble = state.withLock { state -> Trouble? in
            guard state.troubles[key]?.isEmpty == false else { return nil }
            return state.troubles[key]?.removeFirst()
        }
        if case .notConnected? = trouble { throw HTTPFailure(.notConnected, mayHaveArrived: false) }
        state.withLock { $0.sent.append(sent) }
        // A request takes time to arrive.
        time.pass(20)
        deliverLate()
        if let body = arrival.withLock({ $0 }) { await body(sent) }
        switch trouble {
        case nil: return answer(request, sent)
        case .notConnected, .cutBefore: throw HTTPFailure(.closed, mayHaveArrived: true)
        case .cutAfter:
            _ = answer(request, sent)
            throw HTTPFailure(.closed, mayHaveArrived: true)
        case .timeOut:
            _ = answer(request, sent)
            time.pass(30_000)
            throw HTTPFailure(.timedOut(.answering), mayHaveArrived: true)
        case .late(let delay):
            state.withLock { $0.late.append((time.now + delay, request)) }
            throw HTTPFailure(.timedOut(.answering), mayHaveArrived: true)
        case .hidden(let delay):
            _ = answer(request, sent, visibleFrom: time.now + delay)
            throw HTTPFailure(.closed, mayHaveArrived: true)
        case .answerAfter(let status, let body, let headers):
            _ = answer(request, sent)
            return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        case .answerInstead(let status, let body, let headers):
            return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        case .huge:
            _ = answer(request, sent)
            throw HTTPFailure(.tooLarge(limit: request.limit), mayHaveArrived: true)
        }
    }

    private func deliverLate() {
        let due = state.withLock { state -> [(due: Int64, request: HTTPRequest)] in
            let due = state.late.filter { $0.due <= time.now }
            state.late.removeAll { $0.due <= time.now }
            return due
        }
        for (time, request) in due {
            state.withLock { $0.arrivalTime = time }
            _ = answer(request, read(request))
            state.withLock { $0.arrivalTime = nil }
        }
    }

    private func read(_ request: HTTPRequest) -> Sent {
        let parts = request.target.split(separator: "?", maxSplits: 1)
        let query = parts.count == 2 ? String(parts[1]) : ""
        let form = Self.form(query + (query.isEmpty ? "" : "&") + String(decoding: request.body, as: UTF8.self))
        return Sent(
            method: request.method.rawValue, target: request.target, path: String(parts[0]), form: form,
            headers: request.headers, body: request.body, at: time.now, isRepeatable: request.repetition == .allowed)
    }

    /// Accepts another key, with the same secret.
    func accept(_ key: String) { keys.withLock { _ = $0.insert(key) } }

    /// No longer accepts a key.
    func refuse(_ key: String) { keys.withLock { _ = $0.remove(key) } }

    /// Returns the answer that a test has arranged for a path.
    private func arranged(_ request: HTTPRequest, _ sent: Sent) -> String? {
        let (result, body) = state.withLock { ($0.results[sent.path], $0.resultsByKey[sent.path]) }
        let key = request.headers.first { ["X-MBX-APIKEY", "API-Key"].contains($0.name) }?.value ?? ""
        return body?(key) ?? result
    }

    private func isKnown(_ request: HTTPRequest, _ header: String) -> Bool {
        let key = request.headers.first { $0.name == header }?.value ?? ""
        return keys.withLock { $0.contains(key) }
    }

    private static func form(_ text: String) -> [String: String] {
        var form: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            form[String(sides[0])] = sides.count == 2 ? String(sides[1]).removingPercentEncoding ?? "" : ""
        }
        return form
    }

    // MARK: Answers

    private static let json = [HTTPHeader("Content-Type", "application/json;charset=UTF-8")]

    private func answer(_ request: HTTPRequest, _ sent: Sent, visibleFrom: Int64 = 0) -> HTTPResponse {
        switch venue {
        case .binance: binance(request, sent, visibleFrom)
        case .kraken: kraken(request, sent, visibleFrom)
        }
    }

    private func respond(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: Self.json + [HTTPHeader("X-MBX-USED-WEIGHT-1M", "7")], body: Array(body.utf8))
    }

    private func binance(_ request: HTTPRequest, _ sent: Sent, _ visibleFrom: Int64) -> HTTPResponse {
        func refuse(_ code: Int, _ message: String) -> HTTPResponse {
            respond(400, #"{"code":\#(code),"msg":"\#(message)"}"#)
        }
        if sent.path == "/api/v3/time" { return respond(200, #"{"serverTime":\#(serverTime)}"#) }
        guard isKnown(request, "X-MBX-APIKEY") else { return refuse(-2015, "Invalid API-key") }
        let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        let whole = query + String(decoding: request.body, as: UTF8.self)
        guard let end = whole.range(of: "&signature="), let signature = sent.form["signature"],
            whole[end.upperBound...].firstIndex(of: "&") == nil,
            check(Array(whole[..<end.lowerBound].utf8), sent.path, "", signature)
        else { return refuse(-1022, "Signature for this request is not valid.") }
        guard let stamp = sent.form["timestamp"].flatMap(Int64.init),
            let window = sent.form["recvWindow"].flatMap(Int64.init),
            window <= 60_000
        else { return refuse(-1102, "Mandatory parameter") }
        let now = Int64(serverTime)
        guard stamp < now + 1_000, now - stamp <= window else {
            return refuse(-1021, "Timestamp for this request is outside of the recvWindow.")
        }
        if let result = arranged(request, sent) { return respond(200, result) }
        switch "\(sent.method) \(sent.path)" {
        case "POST /api/v3/order/test": return respond(200, "{}")
        case "POST /api/v3/order":
            // The parameter of tests.
            guard sent.form["computeCommissionRates"] == nil else {
                return refuse(-1104, "Not all sent parameters were read.")
            }
            let id = sent.form["newClientOrderId"] ?? ""
            return state.withLock { state in
                if state.placed.contains(where: { $0.clientID == id }) { return refuse(-2010, "Duplicate order sent.") }
                let placed = Placed(
                    clientID: id, exchangeID: "\(28 + state.placed.count)", symbol: sent.form["symbol"] ?? "",
                    side: sent.form["side"] ?? "", amount: sent.form["quantity"] ?? "", type: sent.form["type"] ?? "",
                    price: sent.form["price"] ?? "0.00000000", visibleFrom: visibleFrom)
                state.placed.append(placed)
                return respond(200, Self.binance(placed))
            }
        case "GET /api/v3/openOrders":
            let orders = placed.filter { $0.visibleFrom <= time.now }
            return respond(200, "[\(orders.map(Self.binance).joined(separator: ","))]")
        case "GET /api/v3/order":
            let id = sent.form["origClientOrderId"] ?? ""
            guard let placed = placed.first(where: { $0.clientID == id && $0.visibleFrom <= time.now }) else {
                return refuse(-2013, "Order does not exist.")
            }
            return respond(200, Self.binance(placed))
        default: return refuse(-1100, "Illegal")
        }
    }

    private static func binance(_ placed: Placed) -> String {
        """
        {"symbol":"\(placed.symbol)","orderId":\(placed.exchangeID),"clientOrderId":"\(placed.clientID)",\
        "type":"\(placed.type)","price":"\(placed.price)","origQty":"\(placed.amount)","executedQty":"0.00000000",\
        "status":"NEW","side":"\(placed.side)"}
        """
    }

    private func kraken(_ request: HTTPRequest, _ sent: Sent, _ visibleFrom: Int64) -> HTTPResponse {
        func refuse(_ text: String) -> HTTPResponse { respond(200, #"{"error":["\#(text)"]}"#) }
        func succeed(_ result: String) -> HTTPResponse { respond(200, #"{"error":[],"result":\#(result)}"#) }
        if sent.path == "/0/public/Time" { return succeed(#"{"unixtime":\#(serverTime / 1_000),"rfc1123":"x"}"#) }
        guard isKnown(request, "API-Key") else { return refuse("EAPI:Invalid key") }
        let signature = request.headers.first { $0.name == "API-Sign" }?.value ?? ""
        let nonce = sent.form["nonce"] ?? ""
        guard check(request.body, sent.path, nonce, signature) else { return refuse("EAPI:Invalid signature") }
        let isFresh = state.withLock { state in
            guard let number = UInt64(nonce), number > state.nonce else { return false }
            state.nonce = number
            return true
        }
        guard isFresh else { return refuse("EAPI:Invalid nonce") }
        if let result = arranged(request, sent) { return succeed(result) }
        let id = sent.form["cl_ord_id"] ?? ""
        switch sent.path {
        case "/0/private/AddOrder":
            if sent.form["validate"] == "true" { return succeed(#"{"descr":{"order":"buy"}}"#) }
            guard let deadline = sent.form["deadline"], deadline.utf8.count == 20 else {
                return refuse("EGeneral:Invalid arguments:deadline")
            }
            guard deadline > Timestamp(milliseconds: serverTime).rfc3339 else {
                return refuse("EService:Deadline elapsed")
            }
            // Kraken's rule for a request that arrives at once: from two to 60 seconds.
            let earliest = Timestamp(milliseconds: serverTime + 2_000).rfc3339
            let latest = Timestamp(milliseconds: serverTime + 60_000).rfc3339
            let isLate = state.withLock { $0.arrivalTime != nil }
            guard isLate || (earliest...latest).contains(deadline) else {
                return refuse("EGeneral:Invalid arguments:deadline")
            }
            return state.withLock { state in
                if state.placed.contains(where: { $0.clientID == id }) { return refuse("EOrder:cl_ord_id in use") }
                let placed = Placed(
                    clientID: id, exchangeID: "OAAAAA-BBBBB-CCCCC\(state.placed.count)",
                    symbol: sent.form["pair"] ?? "",
                    side: sent.form["type"] ?? "", amount: sent.form["volume"] ?? "",
                    type: sent.form["ordertype"] ?? "", price: sent.form["price"] ?? "0", visibleFrom: visibleFrom)
                state.placed.append(placed)
                return succeed(#"{"descr":{"order":"x"},"txid":["\#(placed.exchangeID)"]}"#)
            }
        case "/0/private/OpenOrders", "/0/private/ClosedOrders":
            let isOpen = sent.path.hasSuffix("OpenOrders")
            let all = id.isEmpty || state.withLock { $0.ignoresFilter }
            let orders = placed.filter { ($0.clientID == id || all) && $0.visibleFrom <= time.now && isOpen }
            let members = Self.kraken(orders)
            return succeed(isOpen ? #"{"open":{\#(members)}}"# : #"{"closed":{\#(members)},"count":0}"#)
        case "/0/private/QueryOrders":
            let ids = (sent.form["txid"] ?? "").split(separator: ",").map(String.init)
            let orders = placed.filter { ids.contains($0.exchangeID) && $0.visibleFrom <= time.now }
            return orders.isEmpty ? refuse("EOrder:Unknown order") : succeed("{\(Self.kraken(orders))}")
        default: return refuse("EGeneral:Unknown method")
        }
    }

    private static func kraken(_ orders: [Placed]) -> String {
        orders.map { placed in
            """
            "\(placed.exchangeID)":{"status":"open","cl_ord_id":"\(placed.clientID)",\
            "descr":{"pair":"\(placed.symbol)","type":"\(placed.side)","ordertype":"\(placed.type)",\
            "price":"\(placed.price)"},"vol":"\(placed.amount)","vol_exec":"0.0"}
            """
        }.joined(separator: ",")
    }
}
