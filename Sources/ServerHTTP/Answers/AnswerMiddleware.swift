internal import AuthAPI
internal import HTTPTypes
package import Hummingbird
package import Logging

/// Turns every thrown error into an answer, adds the headers that every answer has, counts the answer, and writes its
/// log line.
package struct AnswerMiddleware: RouterMiddleware {
    package typealias Context = ServerContext

    package let metrics: Metrics
    package let requestIDs: RequestIDs
    package let transport: Ingress
    package let addresses: LogAddresses
    package let isSecure: Bool
    package let logger: Logger

    package init(
        metrics: Metrics, requestIDs: RequestIDs, transport: Ingress, addresses: LogAddresses, isSecure: Bool,
        logger: Logger
    ) {
        self.metrics = metrics
        self.requestIDs = requestIDs
        self.transport = transport
        self.addresses = addresses
        self.isSecure = isSecure
        self.logger = logger
    }

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let id = requestIDs.id(of: request, peer: context.peer, transport: transport)
        // If the client of a request is unknown, the log names the other end of the connection.
        var address = context.peer
        var context = context
        if case .client(let client) = Sender(of: request.headers, peer: address, transport: transport) {
            address = client
            context.client = client
        }
        var response: Response
        var refusal: Problem?
        do {
            guard request.uri.string.utf8.count <= ServerHTTPLimits.addressBytes else {
                throw Problem(.tooLarge, status: 414)
            }
            response = try await RequestScope.$id.withValue(id) { [context] in try await next(request, context) }
        } catch {
            let problem = ProblemMapping.problem(of: error)
            let isFault = problem.status >= 500
            if isFault {
                logger.error(
                    "request failed",
                    metadata: .of([
                        .error: "\(type(of: error))", .reason: "\(ProblemMapping.reason(of: error))",
                        .requestID: "\(id)",
                    ]))
            }
            refusal = problem
            response = .problem(problem, requestID: isFault ? id : nil)
        }
        addHeaders(to: &response, id: id)
        let duration = (ContinuousClock.now - start).components
        let route = context.endpointPath ?? "none"
        let method = Self.known(request.method)
        metrics.count(
            method: method, path: route, status: response.status.code,
            seconds: Double(duration.seconds) + Double(duration.attoseconds) * 1e-18)
        if let limit = refusal?.limit { metrics.count(limit: limit) }
        logger.info(
            "request",
            metadata: .of([
                .request: .stringConvertible(
                    RequestRecord(
                        method: method, route: route, status: response.status.code,
                        microseconds: duration.seconds * 1_000_000 + duration.attoseconds / 1_000_000_000_000,
                        bytes: request.method == .head ? 0 : response.body.contentLength,
                        address: addresses.text(of: address), id: id, limit: refusal?.limit,
                        code: refusal?.code.rawValue))
            ]))
        return response
    }

    /// Returns the name of a known method. A method that a client invents makes no new series of metrics.
    private static func known(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .patch, .delete, .options: method.rawValue
        default: "other"
        }
    }

    private func addHeaders(to response: inout Response, id: String) {
        response.headers[.xRequestID] = id
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if response.headers[.contentSecurityPolicy] == nil {
            // No answer of the API is a page.
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        // Two years, which the browsers' preload lists require (RFC 6797). On plain HTTP browsers would ignore it.
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=63072000; includeSubDomains" }
    }
}
