public import Encoding

/// An error response (RFC 9457, `application/problem+json`). It has no free text: details that an attacker could use
/// stay in the server's log.
public struct Problem: Error, Equatable, Sendable {
    /// The kind of error.
    public let code: ProblemCode
    /// The status of the answer.
    public let status: Int
    /// The number of seconds after which the client may try again.
    public let retryAfter: Int?
    /// The maximum age of a sign-in for this request, in seconds (RFC 9470).
    public let maxAge: Int?
    /// The kind of the limit that refused the request, for the server's log and metrics. The response does not contain
    /// it.
    package let limit: String?

    /// Creates a problem.
    ///
    /// - Parameter status: the status; nil for the code's own.
    public init(_ code: ProblemCode, status: Int? = nil, retryAfter: Int? = nil, maxAge: Int? = nil) {
        self.init(code, status: status, retryAfter: retryAfter, maxAge: maxAge, limit: nil)
    }

    package init(
        _ code: ProblemCode, status: Int? = nil, retryAfter: Int? = nil, maxAge: Int? = nil, limit: String?
    ) {
        self.code = code
        self.status = status ?? code.status
        self.retryAfter = retryAfter
        self.maxAge = maxAge
        self.limit = limit
    }

    /// The body. `error` is for clients of OAuth (RFC 6749 section 5.2).
    public var json: JSON {
        .object(with: [
            "type": .string("/problems#\(code.rawValue)"), "title": .string(code.title), "status": JSON(Int64(status)),
            "code": .string(code.rawValue), "error": .string(code.oauthError),
            "retry_after": retryAfter.map { JSON(Int64($0)) }, "max_age": maxAge.map { JSON(Int64($0)) },
        ])
    }

    /// Reads a body. Nil if it is not a problem of this server, or if its code is unknown: ``ErrorAnswer`` then keeps the
    /// status.
    public init?(_ json: JSON) {
        guard let code = json["code"]?.string.flatMap(ProblemCode.init(rawValue:)) else { return nil }
        self.init(
            code, status: json["status"]?.number?.integer(),
            retryAfter: Self.seconds(json["retry_after"], in: AuthLimits.waitSeconds),
            maxAge: Self.seconds(json["max_age"], in: 0...Int.max))
    }

    /// Returns a number of seconds; nil if it is out of range or no integer: without the number the code still counts.
    private static func seconds(_ value: JSON?, in range: ClosedRange<Int>) -> Int? {
        guard let seconds: Int = value?.number?.integer(), range.contains(seconds) else { return nil }
        return seconds
    }
}
