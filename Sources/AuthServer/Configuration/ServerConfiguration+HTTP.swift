internal import ServerHTTP

extension ServerConfiguration {
    /// The rule for who may read the metrics.
    var operatorAccess: OperatorAccess { OperatorAccess(transport: transport, addresses: metricsAddresses) }

    /// The names that the header field `Host` may contain, beside `localhost`.
    var hostNames: Set<String> { [publicURL.host, listen.host.lowercased()] }
}
