package import AuthAPI
package import HTTPTypes

/// Shows the metrics to this machine and to the addresses that the operator names.
package struct MetricsReading: Sendable {
    let access: OperatorAccess
    let metrics: Metrics

    package init(access: OperatorAccess, metrics: Metrics) {
        self.access = access
        self.metrics = metrics
    }

    /// Returns the metrics for a peer of a connection.
    ///
    /// - Throws: `Problem` with `ProblemCode.notFound` if the peer may not read them.
    package func text(for peer: ClientAddress, _ headers: HTTPFields) throws(Problem) -> String {
        guard access.showsMetrics(to: peer, headers) else { throw Problem(.notFound) }
        return metrics.text
    }
}
