/// An error of PostgreSQL, and whether the transaction may be repeated because it certainly did not happen.
struct PostgreSQLFailure: Error, Equatable {
    let error: StoreError
    let mayRetry: Bool

    init(_ error: StoreError, mayRetry: Bool = false) {
        self.error = error
        self.mayRetry = mayRetry
    }

    /// The connection was lost, and no commit was under way.
    static let lost = PostgreSQLFailure(.unavailable, mayRetry: true)

    /// Converts a SQLSTATE: https://www.postgresql.org/docs/15/errcodes-appendix.html
    init(state: String) {
        switch state {
        // Serialization failure, deadlock: a conflict with another transaction.
        case "40001", "40P01": self.init(.overloaded, mayRetry: true)
        // The server is stopped, crashed or starting; it has too many connections; it no longer knows the prepared
        // statement.
        case "57P01", "57P02", "57P03", "53300", "26000", "08006", "08003", "08001": self = .lost
        // It is a standby, or has become one: it refuses `BEGIN READ WRITE` and writes. The next connection looks for
        // the server that accepts writes.
        case "0A000", "25006": self = .lost
        // A statement of this name is prepared already, and not by this connection; or a transaction is refused (PgBouncer's
        // mode `statement`).
        case "42P05", "08P01": self.init(.sharedSessions)
        case "57014": self.init(.timedOut)
        // A lock or an idle transaction took too long.
        case "55P03", "25P03": self.init(.overloaded)
        case "53100": self.init(.diskFull)
        case "22021", "22P05": self.init(.unstorable)
        case "XX001", "XX002": self.init(.damaged)
        case _ where state.hasPrefix("23"): self.init(.conflict)
        case _ where state.count == 5 && state.utf8.allSatisfy { (0x30...0x5a).contains($0) }:
            self.init(.failed(code: "PostgreSQL \(state)"))
        default: self.init(.failed(code: "PostgreSQL"))
        }
    }
}
