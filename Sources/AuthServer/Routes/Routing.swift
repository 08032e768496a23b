internal import AuthAPI
internal import AuthSettings
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ServerAudit
internal import ServerHTTP
internal import Time
internal import Tokens

/// The HTTP side of the server: its routes and middleware.
struct Routing: Sendable {
    let configuration: ServerConfiguration
    let useCases: UseCases
    let keys: KeyRing
    let metrics: Metrics
    let requestIDs: RequestIDs
    let clock: @Sendable () -> Timestamp
    let logger: Logger
    let logo: Reloadable<PageLogo>?
    let published: PublishedCheckpoint?
    let witnessing: LogWitnessing?

    /// Returns a router with all routes.
    func router() -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: NonceMiddleware(keys: keys, clock: clock))
        router.add(
            middleware: AnswerMiddleware(
                metrics: metrics, requestIDs: requestIDs, transport: configuration.transport,
                addresses: configuration.logAddresses, isSecure: configuration.publicURL.isSecure, logger: logger))
        router.add(middleware: CanonicalPaths())
        router.add(middleware: SenderMiddleware(access: configuration.operatorAccess, clock: clock))
        router.add(middleware: ContinueMiddleware())
        addRoutes(to: router)
        refuseOtherMethods(of: router)
        return router
    }

    func addRoutes(to router: Router<ServerContext>) {
        let authentication = useCases.authentication
        PasskeyRoutes(
            relyingPartyID: configuration.relyingParty.id, authentication: authentication,
            registration: useCases.registration, signIn: useCases.signIn, passkeys: useCases.passkeys
        ).add(to: router)
        TokenRoutes(
            authentication: authentication, refresh: useCases.refresh, revocation: useCases.revocation,
            introspection: useCases.introspection
        ).add(to: router)
        SessionRoutes(authentication: authentication, sessions: useCases.sessions).add(to: router)
        DeviceRoutes(
            authentication: authentication, devices: useCases.devices, attestation: useCases.deviceAttestation
        ).add(to: router)
        RecoveryRoutes(
            authentication: authentication, recovery: useCases.recovery, replacement: useCases.recoveryCodes
        ).add(to: router)
        AccountRoutes(authentication: authentication, export: useCases.export, erasure: useCases.erasure)
            .add(to: router)
        EventRoutes(authentication: authentication, history: useCases.history).add(to: router)
        MetadataRoutes(
            issuer: configuration.publicURL.description, origins: configuration.relyingParty.origins,
            signUp: configuration.signUp, keys: keys
        ).add(to: router)
        OperationRoutes(
            readiness: useCases.readiness,
            metrics: MetricsReading(access: configuration.operatorAccess, metrics: metrics)
        ).add(to: router)
        AuditRoutes(published: published, witnessing: witnessing, clock: clock).add(to: router)
        Pages(
            serviceName: configuration.relyingParty.name, signUp: configuration.signUp,
            accent: configuration.page.accent,
            logo: logo
        ).addRoutes(to: router)
    }

    /// Makes every path answer 405 to methods that it does not support, and list the supported ones (RFC 9110 section
    /// 15.5.6).
    private func refuseOtherMethods(of router: Router<ServerContext>) {
        let query = HTTPRequest.Method("QUERY").map { [$0] } ?? []
        let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace] + query
        for (path, routes) in Dictionary(grouping: router.routes, by: \.path.description) {
            // The router answers HEAD wherever it answers GET.
            let taken = methods.filter { method in
                routes.contains { $0.method == method || (method == .head && $0.method == .get) }
            }
            let allow = taken.map(\.rawValue).joined(separator: ", ")
            for method in methods where !taken.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ in
                    var response = Response.problem(Problem(.methodNotAllowed))
                    response.headers[.allow] = allow
                    return response
                }
            }
        }
    }
}

/// Adds the nonce for the next proof (RFC 9449 section 8.2) to every answer of the API, including refusals.
struct NonceMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let keys: KeyRing
    let clock: @Sendable () -> Timestamp

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard
            request.headers.contains(.dpop) || request.headers.contains(.authorization)
                || request.uri.path.hasPrefix("/api/")
        else { return try await next(request, context) }
        // Inside, ``AnswerMiddleware`` has turned every error into an answer.
        var response = try await next(request, context)
        response.headers[.dpopNonce] = keys.current.nonces.issue(now: clock())
        return response
    }
}

extension ServerContext {
    /// Returns the identifier in the route's path. A malformed identifier is answered like an unknown one.
    func identifier<Named>(_ type: Identifier<Named>.Type = Identifier<Named>.self) throws(Problem) -> Identifier<Named>
    {
        guard let text = parameters.get("id"), let id = try? Identifier<Named>(text) else { throw Problem(.notFound) }
        return id
    }
}
