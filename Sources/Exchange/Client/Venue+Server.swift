public import ExchangeCredentials
public import PinnedHTTP

extension Venue {
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

    /// Whether a server is the exchange itself, which has the same accounts and orders behind several names: Binance's
    /// list of base endpoints of its REST API.
    public func has(_ origin: Origin) -> Bool {
        guard self == .binance, origin.scheme == self.origin.scheme, origin.port == self.origin.port else {
            return origin == self.origin
        }
        return ["api", "api-gcp", "api1", "api2", "api3", "api4"].contains { origin.host == "\($0).binance.com" }
    }
}
