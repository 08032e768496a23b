internal import AuthAPI
internal import Hummingbird
internal import NIOHTTP1
internal import SQLStore

/// What the client is told of an error: all of it is decided here.
enum ProblemMapping {
    static func problem(of error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let error as StoreError: problem(of: error)
        case let error as any HTTPResponseError: problem(of: error)
        // The body, from some byte on, is not what HTTP says it should be.
        case is HTTPParserError: Problem(.malformedRequest)
        default: Problem(.internalError)
        }
    }

    /// Of the store: whether it makes sense to try again.
    private static func problem(of error: StoreError) -> Problem {
        switch error {
        case .unavailable, .notReached, .outcomeUnknown, .overloaded, .timedOut, .diskFull, .conflict:
            Problem(.unavailable, retryAfter: 1)
        default: Problem(.internalError)
        }
    }

    /// Of the errors that the HTTP library throws by itself.
    private static func problem(of error: any HTTPResponseError) -> Problem {
        switch error.status {
        case .notFound: Problem(.notFound)
        case .methodNotAllowed: Problem(.methodNotAllowed)
        case .contentTooLarge: Problem(.tooLarge)
        default: error.status.code < 500 ? Problem(.malformedRequest) : Problem(.internalError)
        }
    }

    /// For the log: the kinds of errors of ours carry no secrets and no texts of others; of others only the type is named.
    static func reason(of error: any Error) -> String {
        switch error {
        case let problem as Problem: problem.code.rawValue
        case let error as StoreError: "\(error)"
        default: "\(type(of: error))"
        }
    }
}
