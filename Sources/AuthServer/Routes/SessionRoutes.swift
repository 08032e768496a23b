internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import ServerHTTP

/// The routes of sessions.
struct SessionRoutes: Sendable {
    let authentication: RequestAuthentication
    let sessions: ActiveSessions

    func add(to router: Router<ServerContext>) {
        router.get("/api/auth/session") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            return Response.json(try await sessions.current(of: caller).json)
        }
        router.get("/api/auth/sessions") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            return Response.json(["sessions": .array(try await sessions.all(of: caller).map(\.json))])
        }
        router.delete("/api/auth/sessions/:id") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            try await sessions.end(try context.identifier(SessionID.self), by: caller)
            return Response.empty
        }
        router.post("/api/auth/sessions/revoke-others") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            try await sessions.endOthers(than: caller)
            return Response.empty
        }
        router.post("/api/auth/logout") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            try await sessions.end(caller.session, by: caller)
            var response = Response.empty
            // The storage is kept: the device's key stays, so that the next sign-in is on the same device. The key
            // cannot be read out, and gives no access without a passkey. The refresh token is void, and the page
            // removes it.
            response.headers[.clearSiteData] = "\"cache\""
            return response
        }
    }
}
