/// The log entry of one request. It contains no path, no header and no body: a client may have put a secret there by
/// mistake.
package struct RequestRecord: Equatable, Sendable {
    package var method: String
    /// The pattern of the route, or `NotFound`.
    package var route: String
    package var status: Int
    package var microseconds: Int64
    /// The number of bytes of the answer's body; nil for a stream of unknown length.
    package var bytes: Int?
    /// The client's address, in the form that `log.addresses` selects; nil for `none`.
    package var address: String?
    /// The request's id, which the answer contains in `X-Request-Id`.
    package var id: String
    /// The kind of the limit that refused the request.
    package var limit: String?
    /// The problem code of the answer.
    package var code: String?

    package init(
        method: String, route: String, status: Int, microseconds: Int64, bytes: Int?, address: String?, id: String,
        limit: String? = nil, code: String? = nil
    ) {
        self.method = method
        self.route = route
        self.status = status
        self.microseconds = microseconds
        self.bytes = bytes
        self.address = address
        self.id = id
        self.limit = limit
        self.code = code
    }

    /// Adds the members of the request to a line.
    package func add(to line: inout LogLine) {
        line.add("method", method)
        line.add("route", route)
        line.add("status", Int64(status))
        line.add("ms", milliseconds: microseconds)
        if let bytes { line.add("bytes", Int64(bytes)) }
        if let address { line.add("address", address) }
        line.add("request_id", id)
        if let code { line.add("code", code) }
        if let limit { line.add("limit", limit) }
    }
}

extension RequestRecord: CustomStringConvertible {
    /// The text for log handlers that do not know this type.
    package var description: String {
        let ends = [address.map { "address=\($0)" }, code.map { "code=\($0)" }, limit.map { "limit=\($0)" }]
        return
            (["\(method) \(route) \(status) us=\(microseconds) bytes=\(bytes.map(String.init) ?? "-") id=\(id)"]
            + ends.compactMap { $0 }).joined(separator: " ")
    }
}
