public import PinnedHTTP

/// An exchange that this library knows.
public enum Venue: String, CaseIterable, Sendable {
    /// Binance's spot exchange: its REST API, version 3.
    case binance
    /// Kraken's spot exchange: its REST API, version 0.
    case kraken

    /// The server of the exchange's API.
    public var origin: Origin {
        let host =
            switch self {
            case .binance: "api.binance.com"
            case .kraken: "api.kraken.com"
            }
        guard let origin = Origin(host: host) else { preconditionFailure("the name of an exchange is a host") }
        return origin
    }
}
