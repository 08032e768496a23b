internal import AuthAPI
internal import Hummingbird
internal import HummingbirdCore
internal import ServerHTTP

/// The route of the security events.
struct EventRoutes: Sendable {
    let authentication: RequestAuthentication
    let history: SecurityEventHistory

    func add(to router: Router<ServerContext>) {
        // No step-up: the owner looks here first when something is odd, and these events give access to nothing.
        router.get("/api/account/events") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            let query = try EventsQuery(request.uri)
            let page = try await history.page(of: caller, before: query.before, limit: query.limit)
            return Response.json(page.json)
        }
    }
}

/// The parameters `limit` and `before`, each at most once. Other parameters are ignored.
private struct EventsQuery {
    let limit: Int
    let before: SecurityEventID?

    init(_ uri: URI) throws(Problem) {
        var limit: Int?
        var before: SecurityEventID?
        for (name, value) in uri.queryParameters {
            switch name {
            case "limit":
                // Digits only: `Int` would also accept a sign.
                guard limit == nil, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                    let number = Int(value), AuthLimits.eventsAtOnce.contains(number)
                else { throw Problem(.malformedRequest) }
                limit = number
            case "before":
                guard before == nil, let id = try? SecurityEventID(String(value)) else {
                    throw Problem(.malformedRequest)
                }
                before = id
            default: continue
            }
        }
        self.limit = limit ?? AuthLimits.usualEventsAtOnce
        self.before = before
    }
}
