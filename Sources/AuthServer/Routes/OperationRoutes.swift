internal import AuthAPI
internal import HTTPTypes
internal import Hummingbird
internal import SQLStore
internal import Secrets

extension Backend {
    func addOperationRoutes(to router: Router<AuthContext>) {
        router.get("/healthz") { _, _ in Response.text("ok\n") }
        router.get("/readyz") { _, _ in
            let isReady = await readiness.isReady {
                // Forgotten within a minute, like every value that is spent.
                let (mark, now) = (random.publicBytes(count: 32), clock())
                _ = try await database.write { try ReplayCache.spend(mark, until: now, in: $0) }
            }
            guard isReady else { throw Problem(.unavailable) }
            return Response.text("ready\n")
        }
        router.get("/metrics") { request, context in
            guard configuration.showsMetrics(to: context.peer, request.headers) else {
                throw Problem(.notFound)
            }
            var response = Response.text(metrics.text)
            response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return response
        }
    }
}
