internal import PinnedHTTP
internal import Time

/// The requests that an exchange has counted, as the headers of its answers tell. Only Binance tells them.
public struct ExchangeUsage: Equatable, Sendable {
    /// The weight of this minute's requests from this machine's address.
    public private(set) var weight: Int?
    /// The orders of the intervals that the exchange counts, such as `10S` and `1D`.
    public private(set) var orders: [String: Int] = [:]
    private var minute: Int64?

    init() {}

    mutating func read(_ response: HTTPResponse, now: Timestamp) {
        for header in response.headers {
            let name = header.name.uppercased()
            guard let count = Int(header.value), count >= 0 else { continue }
            if name == "X-MBX-USED-WEIGHT-1M" {
                (weight, minute) = (count, now.milliseconds / 60_000)
            } else if name.hasPrefix("X-MBX-ORDER-COUNT-"), name.utf8.count <= 24 {
                let interval = String(name.dropFirst("X-MBX-ORDER-COUNT-".count))
                if orders.count < 8 || orders[interval] != nil { orders[interval] = count }
            }
        }
    }

    /// Returns the rest of the minute if its weight is used up.
    func pause(at now: Timestamp) -> Wait? {
        guard let weight, let minute, weight >= ExchangeLimits.weightPerMinute, minute == now.milliseconds / 60_000
        else { return nil }
        return Wait(reason: .rateLimit, until: Timestamp(milliseconds: (minute + 1) * 60_000))
    }
}
