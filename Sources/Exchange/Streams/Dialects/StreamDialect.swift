internal import Encoding
internal import ExchangeCredentials
internal import PinnedHTTP
internal import Time

/// The messages of one exchange's streams. It does no I/O.
protocol StreamDialect: Sendable {
    /// Returns the server of a feed and its path.
    func address(of feed: StreamFeed) -> StreamAddress
    /// The time without any message after which a connection counts as dead; nil if the exchange sends no heartbeat.
    var silence: Duration? { get }
    /// Returns the messages that subscribe to the prices of markets.
    func subscription(to symbols: [TradingSymbol]) -> [String]
    /// Returns how many confirmations these messages get.
    func confirmations(of symbols: [TradingSymbol]) -> Int
    /// Returns what a message means.
    func read(_ text: String, now: Timestamp) -> StreamMessage
    /// Checks that streams accept the form of a symbol.
    func check(_ symbol: TradingSymbol) throws(ExchangeError)
}

/// The server of a feed.
struct StreamAddress: Equatable, Sendable {
    let host: String
    let port: UInt16
    let path: String

    /// The server.
    var origin: Origin {
        guard let origin = Origin(.https, host: host, port: port) else {
            preconditionFailure("the name of an exchange's server is a host")
        }
        return origin
    }
}

/// The meaning of a message.
enum StreamMessage: Sendable {
    /// A subscription was made.
    case confirmed
    /// A subscription was not made.
    case failed(Answer)
    /// The best prices of markets.
    case quotes([Quote])
    /// Trades, the oldest first.
    case trades([MarketTrade])
    /// Reports about orders, with the number of the message if the exchange numbers them.
    case orders([OrderReport], number: UInt64?)
    /// The exchange ended the subscription, but not the connection.
    case ended
    /// A heartbeat, or a message about something else.
    case nothing
    /// A message without the documented form.
    case unreadable
}

extension Venue {
    /// The exchange's streams.
    var streamDialect: any StreamDialect {
        switch self {
        case .binance: BinanceStream()
        case .kraken: KrakenStream()
        }
    }
}

/// Parts that the dialects of streams share.
enum StreamWire {
    /// Returns the JSON object of a message.
    static func object(_ text: String) -> JSON? {
        let json = try? JSON(
            decoding: text, limit: ExchangeLimits.streamMessageBytes, depth: ExchangeLimits.streamMessageDepth)
        guard json?.object != nil else { return nil }
        return json
    }

    /// Returns every entry of a list as a value; nil if there are too many or one is unreadable.
    static func all<Value>(_ list: [JSON], _ read: (JSON) -> Value?) -> [Value]? {
        guard list.count <= ExchangeLimits.streamEntries else { return nil }
        var values: [Value] = []
        for entry in list {
            guard let value = read(entry) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Returns an optional member; throws if it is there and unreadable.
    static func optional<Value>(_ json: JSON?, _ read: (JSON) -> Value?) throws(Unreadable) -> Value? {
        guard let json, !json.isNull else { return nil }
        guard let value = read(json) else { throw Unreadable() }
        return value
    }

    /// A member without the documented form.
    struct Unreadable: Error {}
}
