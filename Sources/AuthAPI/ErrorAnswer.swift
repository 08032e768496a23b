public import Encoding

/// A response with an error status, as a client reads it.
///
/// Only ``problem(_:)`` is a decision of the server about the request, such as the end of a session. After
/// ``other(status:)`` a client keeps its tokens.
public enum ErrorAnswer: Error, Equatable, Sendable {
    /// A problem of this server, with the status of the response.
    case problem(Problem)
    /// A response without a problem, as a proxy sends it; a code that a newer server has; or a code with a status of
    /// another class, such as `invalid_grant` with 502. Only the status is known.
    case other(status: Int)

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - status: the status of the response, which counts more than the one in the body (RFC 9457, section 3.1.2).
    ///   - body: the body; nil if it is not JSON.
    public init(status: Int, body: JSON?) {
        guard let problem = body.flatMap(Problem.init), problem.code.status / 100 == status / 100 else {
            self = .other(status: status)
            return
        }
        self = .problem(
            Problem(problem.code, status: status, retryAfter: problem.retryAfter, maxAge: problem.maxAge))
    }
}
