internal import AuthAPI
internal import HTTPTypes
internal import Hummingbird

extension Backend {
    func addOperationRoutes(to router: Router<AuthContext>) {
        router.get("/healthz") { _, _ in Response.text("ok\n") }
        router.get("/readyz") { _, _ in
            do {
                _ = try await database.write {
                    try $0.change("UPDATE accounts SET created_at = created_at WHERE 1 = 0", [])
                }
                return Response.text("ready\n")
            } catch {
                throw Problem(.unavailable)
            }
        }
        router.get("/metrics") { request, context in
            // For the operator: not for whoever comes through the proxy, or from elsewhere.
            guard configuration.showsMetrics(to: address(of: request, context)) else { throw Problem(.notFound) }
            var response = Response.text(metrics.text)
            response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }
}

extension ServerConfiguration {
    /// Metrics are for this machine, where something collects them, unless more addresses are named.
    func showsMetrics(to address: ClientAddress) -> Bool {
        address.exact.hasPrefix("127.") || address.exact == "::1" || metricsAddresses.contains(address.exact)
    }
}
