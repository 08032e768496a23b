internal import AuthAPI
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// The outermost step: makes an answer of whatever was thrown, counts it, and gives it the headers that every answer has.
struct AnswerMiddleware: RouterMiddleware {
    typealias Context = AuthContext

    let metrics: Metrics
    let isSecure: Bool

    func handle(
        _ request: Request, context: AuthContext, next: (Request, AuthContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var response: Response
        do {
            guard request.uri.string.utf8.count <= Limits.addressBytes else { throw Problem(.tooLarge, status: 414) }
            response = try await next(request, context)
        } catch {
            let problem = ProblemMapping.problem(of: error)
            if problem.status >= 500 {
                context.logger.error(
                    "request failed",
                    metadata: ["error": "\(type(of: error))", "reason": "\(ProblemMapping.reason(of: error))"])
            }
            response = .problem(problem)
        }
        addHeaders(to: &response)
        let duration = (ContinuousClock.now - start).components
        let path = context.endpointPath ?? "none"
        metrics.count(
            method: Self.known(request.method), path: path, status: response.status.code,
            seconds: Double(duration.seconds) + Double(duration.attoseconds) * 1e-18)
        // The path that was asked for is not logged: it may have a secret that somebody put there by mistake.
        context.logger.info(
            "request",
            metadata: [
                "method": "\(Self.known(request.method))", "path": "\(path)", "status": "\(response.status.code)",
            ])
        return response
    }

    /// A method that a client invents makes no new series.
    private static func known(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .patch, .delete, .options: method.rawValue
        default: "other"
        }
    }

    private func addHeaders(to response: inout Response) {
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if response.headers[.contentSecurityPolicy] == nil {
            // No answer of the interface is a page.
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        // Two years, as the browsers' preload lists want it (RFC 6797). On plain HTTP it would be ignored.
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=63072000; includeSubDomains" }
    }
}
