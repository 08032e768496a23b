public import Encoding

/// An answer that says what went wrong (RFC 9457, `application/problem+json`). It has no free text: what an attacker could
/// learn from a detail stays in the server's log.
public struct Problem: Error, Equatable, Sendable {
    /// What went wrong.
    public let code: ProblemCode
    /// The status of the answer.
    public let status: Int
    /// In how many seconds to try again, at the earliest.
    public let retryAfter: Int?
    /// How old a sign-in may be for what was asked, in seconds (RFC 9470).
    public let maxAge: Int?
    /// The kind of the limit that refused the request, for the server's log and metrics. The answer does not tell it.
    package let limit: String?

    /// Creates a problem.
    ///
    /// - Parameter status: nil is the code's own.
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

    /// Reads a body. Nil if it is no problem of this server; a client then goes by the status.
    public init?(_ json: JSON) {
        guard let code = json["code"]?.string.flatMap(ProblemCode.init(rawValue:)) else { return nil }
        self.init(
            code, status: json["status"]?.number?.integer(), retryAfter: json["retry_after"]?.number?.integer(),
            maxAge: json["max_age"]?.number?.integer())
    }
}
