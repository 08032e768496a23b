internal import AuthAPI

/// Limits of requests without a session, by the networks that an address lies in and by the key of the device: in memory, so
/// that a sign-in writes no more rows than before. The limit of the address itself is in the store.
///
/// A customer has one address of IPv4, but of IPv6 a /64, a /56 or a /48: 1, 256 or 65,536 networks that the limit of one
/// address would count apart.
final class NetworkLimits: Sendable {
    private enum Key: Hashable, Sendable {
        case network(ClientAddress.Network)
        case device([UInt8])
    }

    private let buckets: MemoryBuckets<Key>

    /// - Parameter capacity: how many networks and devices are counted at a time.
    init(capacity: Int = Limits.limitedNetworks) { buckets = MemoryBuckets(capacity: capacity) }

    /// Counts a request. Nil if it may go on; else what to answer.
    ///
    /// - Parameter device: RFC 7638 thumbprint of the key that has signed its proof; nil if it has none.
    func take(
        _ address: ClientAddress, device: [UInt8]?, _ settings: ServerConfiguration.LimitSettings, at now: Timestamp
    ) -> Problem? {
        var limited = address.networks.map { network in
            MemoryBuckets<Key>.Limited(
                subject: .network(network), rate: settings.network.divided(by: network.share).rate)
        }
        // A page that asks in circles is not to use up what all the people of its address have.
        if let device { limited.append(.init(subject: .device(device), rate: settings.device.rate)) }
        return buckets.take(from: limited, at: now).map {
            Problem(.rateLimited, retryAfter: $0.wholeSeconds, limit: "network")
        }
    }
}

extension ServerConfiguration.LimitSettings.Bucket {
    var rate: RateLimits.Rate {
        RateLimits.Rate(
            burst: Int64(burst), every: Timestamp.Span(milliseconds: max(1, 60_000 / Int64(max(perMinute, 1)))))
    }

    /// A bucket that is smaller and fills more slowly.
    func divided(by share: Int) -> Self { Self(burst: max(1, burst / share), perMinute: max(1, perMinute / share)) }
}

extension Timestamp.Span {
    /// Rounded up, at least one: for `Retry-After`.
    var wholeSeconds: Int { max(1, Int(clamping: (milliseconds + 999) / 1000)) }
}
