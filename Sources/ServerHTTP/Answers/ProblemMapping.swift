package import AuthAPI
internal import Hummingbird
internal import NIOHTTP1
internal import SQLStore

/// An error of a role for which clients receive a problem of its own.
package protocol ProblemConvertible: Error {
    /// The problem that the client receives.
    var problem: Problem { get }
    /// The reason for the log, without secrets and foreign text.
    var logReason: String { get }
}

/// The mapping from errors to the problems that clients receive. Every such decision is made here, or by a role's
/// ``ProblemConvertible``.
package enum ProblemMapping {
    package static func problem(of error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as StoreError: problem(of: error)
        case let error as any ProblemConvertible: error.problem
        case let error as any HTTPResponseError: problem(of: error)
        // At some byte the body violates HTTP.
        case is HTTPParserError: Problem(.malformedRequest)
        default: Problem(.internalError)
        }
    }

    /// Returns the problem for an error of the store: it says whether another attempt can succeed.
    private static func problem(of error: StoreError) -> Problem {
        switch error {
        case .unavailable, .notReached, .sharedSessions, .outcomeUnknown, .overloaded, .timedOut, .diskFull, .conflict,
            .fileReplaced,
            // The operator has sealed the store again before this server was started again.
            .unknownSealingKey:
            Problem(.unavailable, retryAfter: 1)
        // The disk or the network below the file may recover, and the operator sees the code in the log.
        case .failed where error.isOfDevice: Problem(.unavailable, retryAfter: 1)
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
        // The text of libpq may name hosts, users and databases.
        case StoreError.notReached: "notReached"
        case let error as StoreError: "\(error)"
        case let error as any ProblemConvertible: error.logReason
        default: "\(type(of: error))"
        }
    }
}
