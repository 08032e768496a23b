internal import AuthAPI
internal import HTTPTypes
internal import ServerHTTP

/// Shows the metrics to this machine and to the addresses that the operator names.
struct MetricsReading: Sendable {
    let access: OperatorAccess
    let metrics: Metrics

    /// Returns the metrics for a peer of a connection.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/notFound`` if the peer may not read them.
    func text(for peer: ClientAddress, _ headers: HTTPFields) throws(Problem) -> String {
        guard access.showsMetrics(to: peer, headers) else { throw Problem(.notFound) }
        return metrics.text
    }
}
