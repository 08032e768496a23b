package import AuthAPI
package import SQLStore

extension StoreError: ProblemConvertible {
    /// The problem says whether another attempt can succeed.
    package var problem: Problem {
        switch self {
        case .unavailable, .notReached, .sharedSessions, .outcomeUnknown, .overloaded, .timedOut, .diskFull, .conflict,
            .fileReplaced,
            // The operator has sealed the store again before this server was started again.
            .unknownSealingKey:
            Problem(.unavailable, retryAfter: 1)
        // The disk or the network below the file may recover, and the operator sees the code in the log.
        case .failed where isOfDevice: Problem(.unavailable, retryAfter: 1)
        default: Problem(.internalError)
        }
    }

    /// The text of libpq may name hosts, users and databases.
    package var logReason: String { if case .notReached = self { "notReached" } else { "\(self)" } }
}
