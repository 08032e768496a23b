internal import AuthAPI
internal import Hummingbird
internal import HummingbirdCore

/// The route of the security events.
struct EventRoutes: Sendable {
    let authentication: RequestAuthentication
    let history: SecurityEventHistory

    func add(to router: Router<AuthContext>) {
        // No fresh sign-in: the owner looks here first when something is odd, and nothing here opens anything.
        router.get("/api/account/events") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            let query = try EventsQuery(request.uri)
            let page = try await history.page(of: caller, before: query.before, limit: query.limit)
            return Response.json(page.json)
        }
    }
}

/// What `limit` and `before` say, each at most once. Other parameters are ignored.
private struct EventsQuery {
    let limit: Int
    let before: SecurityEventID?

    init(_ uri: URI) throws(Problem) {
        var limit: Int?
        var before: SecurityEventID?
        for (name, value) in uri.queryParameters {
            switch name {
            case "limit":
                // Digits only: `Int` takes a sign as well.
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
