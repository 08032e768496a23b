package import AuthAPI
internal import Hummingbird
internal import NIOHTTP1

/// An error that knows its problem for clients: the store's, and those of a role.
package protocol ProblemConvertible: Error {
    /// The problem that the client receives.
    var problem: Problem { get }
    /// The reason for the log, without secrets and foreign text.
    var logReason: String { get }
}

/// The mapping from errors to the problems that clients receive. Every such decision is made here, or by a
/// ``ProblemConvertible``.
package enum ProblemMapping {
    package static func problem(of error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as any ProblemConvertible: error.problem
        case let error as any HTTPResponseError: problem(of: error)
        // At some byte the body violates HTTP.
        case is HTTPParserError: Problem(.malformedRequest)
        default: Problem(.internalError)
        }
    }

    /// Returns the problem for an error that the HTTP library throws.
    private static func problem(of error: any HTTPResponseError) -> Problem {
        switch error.status {
        case .notFound: Problem(.notFound)
        case .methodNotAllowed: Problem(.methodNotAllowed)
        case .contentTooLarge: Problem(.tooLarge)
        default: error.status.code < 500 ? Problem(.malformedRequest) : Problem(.internalError)
        }
    }

    /// Returns the reason for the log. Our own errors contain no secrets and no foreign text; of other errors only the
    /// type is named.
    package static func reason(of error: any Error) -> String {
        switch error {
        case let problem as Problem: problem.code.rawValue
        case let error as any ProblemConvertible: error.logReason
        default: "\(type(of: error))"
        }
    }
}
