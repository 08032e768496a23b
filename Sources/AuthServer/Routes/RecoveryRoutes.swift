internal import AuthAPI
internal import Hummingbird
internal import ServerHTTP

/// The routes of recovery codes.
struct RecoveryRoutes: Sendable {
    let authentication: RequestAuthentication
    let recovery: AccountRecovery
    let replacement: RecoveryCodeReplacement

    func add(to router: Router<ServerContext>) {
        router.post("/api/auth/recovery/options") { request, context in
            let proven = try authentication.proven(PresentedRequest(request, context))
            let body = try RecoveryRequest(try await request.json())
            return Response.json(try await recovery.options(body.code, from: proven))
        }
        router.post("/api/auth/recovery/codes") { request, context in
            let caller = try await authentication.freshCaller(PresentedRequest(request, context))
            return Response.json(try await replacement.replace(by: caller).json)
        }
    }
}
