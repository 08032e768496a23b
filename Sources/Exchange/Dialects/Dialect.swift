internal import Encoding
internal import ExchangeCredentials
internal import PinnedHTTP
internal import Time

/// The requests and answers of one exchange's API. It does no I/O.
///
/// The transport may repeat none of the requests: a repetition has an old time and an old nonce, and would be made
/// during a pause that the exchange has just asked for.
protocol Dialect: Sendable {
    /// Returns a request without a signature; nil if it has none of this form.
    func request(_ call: Call, at origin: Origin) -> HTTPRequest?
    /// Returns a signed request.
    func request(
        _ call: Call, at origin: Origin, by credential: borrowing ExchangeCredential, stamp: Stamp
    ) -> HTTPRequest?
    /// Returns what an answer means.
    func answer(_ response: HTTPResponse, to call: Call, now: Timestamp) -> Answer

    /// Returns the exchange's time.
    func time(in result: JSON) -> Timestamp?
    /// Returns the balances; nil if the result does not have the documented form.
    func balances(in result: JSON) -> AccountBalances?
    /// Returns the rights of a key.
    func rights(in result: JSON, of key: APIKey) -> KeyRights?
    /// The query whose result names the account.
    var accountCall: Call { get }
    /// Returns the exchange's name of the key's account; nil if the result does not have it.
    func account(in result: JSON) -> String?
    /// Returns the order that an answer to it confirms; nil if the answer confirms none.
    func placed(in result: JSON, as id: ClientOrderID, _ order: Order) -> PlacedOrder?
    /// Returns the order that a query found.
    func found(in answer: Answer, _ id: ClientOrderID, _ order: Order) -> Found
    /// Returns the open orders; nil if the result does not have the documented form.
    func openOrders(in result: JSON) -> OpenOrders?
    /// Returns the present state of an order of a list; nil if the result does not tell it.
    func state(of order: ListedOrder, in result: JSON) -> ListedOrder.State?
    /// The queries that together find an order by its id, in this order.
    func queries(for id: ClientOrderID, _ symbol: TradingSymbol) -> [Call]
    /// Returns the time after which the exchange no longer begins to act on an order, by its own clock.
    func deadline(of stamp: Stamp) -> Timestamp
    /// Whether requests have nonces.
    var hasNonces: Bool { get }
    /// The number of orders that one query for orders by the exchange's names takes.
    var ordersInQuery: Int { get }
}

extension Dialect {
    /// Returns the orders that one query asks for, for each of the queries.
    func queries<Element>(for orders: [Element]) -> [[Element]] {
        stride(from: 0, to: orders.count, by: ordersInQuery).map {
            Array(orders[$0..<min($0 + ordersInQuery, orders.count)])
        }
    }
}

extension Venue {
    /// The exchange's API.
    var dialect: any Dialect {
        switch self {
        case .binance: BinanceDialect()
        case .kraken: KrakenDialect()
        }
    }
}

/// The balances of an account.
public struct AccountBalances: Equatable, Sendable {
    /// The balances that are not zero.
    public let assets: [AssetBalance]
    /// The number of entries whose name or amount this version cannot read. Only the exchange's page shows them.
    public let unreadable: Int
}

/// The balance of one asset.
public struct AssetBalance: Equatable, Sendable {
    /// The exchange's name of the asset.
    public let asset: String
    /// The amount that can be used; on Kraken the whole amount, which its answer does not divide.
    public let free: Quantity
    /// The amount in open orders; nil if the exchange does not tell it.
    public let locked: Quantity?
    /// Whether the account owes the amount.
    public let isOwed: Bool
}

/// Parts that the dialects share.
enum Wire {
    /// Returns parameters as a form (`application/x-www-form-urlencoded`), with every character outside of RFC 3986's
    /// unreserved ones percent-encoded. Exchanges sign the encoded form.
    static func form(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if InputCheck.isAlphanumeric(Unicode.Scalar(byte)) && byte < 0x80 || "-._~".utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the JSON of a body; nil if the body is something else, or the header says so.
    static func json(in response: HTTPResponse) -> JSON? {
        if let type = response.header("Content-Type") {
            let name = type.lowercased().prefix { $0 != ";" && $0 != " " }
            guard name == "application/json" else { return nil }
        }
        return try? JSON(
            decoding: response.body, limit: ExchangeLimits.answerBytes, depth: ExchangeLimits.answerDepth)
    }

    /// The time of a `Retry-After` header; nil without one or for the form with a date.
    static func retryAfter(_ response: HTTPResponse) -> Timestamp.Span? {
        guard let text = response.header("Retry-After"), !text.isEmpty, text.utf8.count <= 9,
            text.unicodeScalars.allSatisfy(InputCheck.isDigit), let seconds = Int64(text)
        else { return nil }
        return .seconds(seconds)
    }

    /// Returns an asset's name, if it looks like one: letters, digits, `$`, points, hyphens and underscores, and the
    /// Chinese characters and full-width forms of Binance's documentation.
    static func asset(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        guard (1...ExchangeLimits.symbolCharacters).contains(scalars.count),
            scalars.allSatisfy({
                InputCheck.isAlphanumeric($0) || InputCheck.isWide($0) || "$.-_".unicodeScalars.contains($0)
            })
        else { return nil }
        return text
    }

    /// Returns a word of an exchange, such as `STOP_LOSS_LIMIT`, as `stop-loss-limit`; nil for anything else.
    static func word(_ text: String) -> String? {
        guard (1...ExchangeLimits.nameCharacters).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ InputCheck.isAlphanumeric($0) || $0 == "_" || $0 == "-" })
        else { return nil }
        return String(text.lowercased().map { $0 == "_" ? "-" : $0 })
    }

    /// Reads the price of an order; nil for zero, which stands for none.
    static func price(_ json: JSON?) -> Quantity? {
        json?.string.flatMap(Quantity.init(answer:)).flatMap { $0.isZero ? nil : $0 }
    }

    /// Reads an amount with an optional minus sign.
    static func signed(_ text: String) -> (amount: Quantity, isNegative: Bool)? {
        let isNegative = text.hasPrefix("-")
        guard let amount = Quantity(answer: isNegative ? String(text.dropFirst()) : text) else { return nil }
        return (amount, isNegative && !amount.isZero)
    }
}
