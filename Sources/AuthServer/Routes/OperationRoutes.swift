internal import HTTPTypes
internal import Hummingbird
internal import ServerHTTP

/// The routes of the operator: probes and metrics.
struct OperationRoutes: Sendable {
    let readiness: StoreReadiness
    let metrics: MetricsReading

    func add(to router: Router<ServerContext>) {
        router.get("/healthz") { _, _ in Response.text("ok\n") }
        router.get("/readyz") { _, _ in
            try await readiness.require()
            return Response.text("ready\n" + (readiness.finding.map { "\($0)\n" } ?? ""))
        }
        router.get("/metrics") { request, context in
            var response = Response.text(try metrics.text(for: context.peer, request.headers))
            response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }
}
