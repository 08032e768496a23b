internal import AuthAPI
internal import AuthSettings
internal import ServerHTTP
internal import Time

/// Limits of requests without a session, by the networks that contain the address and by the device's key. They are in
/// memory, so that a sign-in writes no additional rows. The limit of the address itself is in the store.
///
/// A customer has one IPv4 address, but an IPv6 /64, /56 or /48: 1, 256 or 65,536 networks that an address limit would
/// count separately.
final class NetworkLimits: Sendable {
    private enum Key: Hashable, Sendable {
        case network(ClientAddress.Network)
        case device([UInt8])
    }

    private let buckets: MemoryBuckets<Key>

    /// - Parameter capacity: the number of networks and devices that are counted at a time.
    init(capacity: Int = Limits.limitedNetworks) { buckets = MemoryBuckets(capacity: capacity) }

    /// Counts a request. Returns nil if it is allowed, or the problem to answer with.
    ///
    /// - Parameter device: RFC 7638 thumbprint of the key that signed the request's proof; nil without a proof.
    func take(
        _ address: ClientAddress, device: [UInt8]?, _ settings: ServerConfiguration.LimitSettings, at now: Timestamp
    ) -> Problem? {
        take(address, device: device.map { ($0, settings.device) }, of: settings.network, at: now)
    }

    /// Counts a request that has a limit for each network.
    func take(
        _ address: ClientAddress, device: (key: [UInt8], limit: ServerConfiguration.LimitSettings.Bucket)?,
        of network: ServerConfiguration.LimitSettings.Bucket, at now: Timestamp
    ) -> Problem? {
        var limited = address.networks.map { part in
            MemoryBuckets<Key>.Limited(subject: .network(part), rate: network.divided(by: part.share).rate)
        }
        // A page that repeats its requests without end must not use up the limit of everyone at its address.
        if let device { limited.append(.init(subject: .device(device.key), rate: device.limit.rate)) }
        return buckets.take(from: limited, at: now).map {
            Problem(.rateLimited, retryAfter: $0.wholeSeconds, limit: "network")
        }
    }
}

extension ServerConfiguration.LimitSettings.Bucket {
    var rate: TokenBucket.Rate {
        TokenBucket.Rate(
            burst: Int64(burst), every: Timestamp.Span(milliseconds: max(1, 60_000 / Int64(max(perMinute, 1)))))
    }

    /// Returns the rate of a share: a smaller burst and a lower refill rate.
    func divided(by share: Int) -> Self { Self(burst: max(1, burst / share), perMinute: max(1, perMinute / share)) }
}
