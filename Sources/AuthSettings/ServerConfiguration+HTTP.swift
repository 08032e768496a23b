package import ServerHTTP

extension ServerConfiguration {
    /// The rule for who may read the metrics.
    package var operatorAccess: OperatorAccess { OperatorAccess(transport: transport, addresses: metricsAddresses) }

    /// The names that the header field `Host` may contain, beside `localhost`.
    package var hostNames: Set<String> { [publicURL.host, listen.host.lowercased()] }
}
