internal import AuthAPI
internal import Encoding
internal import HTTPTypes
internal import HummingbirdTesting
internal import NIOCore
internal import ServerHTTP
internal import Testing

/// The library's type, not that of TestSupport, which reads vectors.
typealias JSON = Encoding.JSON

/// The server's answer.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]

    init(_ response: TestResponse) {
        status = response.status.code
        headers = response.headers
        body = Array(buffer: response.body)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The problem; nil unless the answer has the right form: `application/problem+json`, with the same status inside.
    var problem: Problem? {
        guard headers[.contentType] == "application/problem+json", let json = try? JSON(decoding: body),
            let problem = Problem(json), problem.status == status
        else { return nil }
        return problem
    }

    /// Returns the body of a successful answer.
    ///
    /// - Throws: the refusal, as a ``AuthAPI/Problem``.
    func json() throws -> JSON {
        if let problem { throw problem }
        try #require((200..<300).contains(status), "neither a success nor a problem: \(status)")
        return body.isEmpty ? .null : try JSON(decoding: body, limit: 4 << 20)
    }
}

extension JSON {
    /// Returns the object with one member set or removed.
    func setting(_ name: String, to value: JSON?) throws -> JSON {
        var members = try #require(object).members.filter { $0.name != name }
        if let value { members.append(Object.Member(name: name, value: value)) }
        return .object(try Object(members))
    }

    /// Returns the object with one member of a nested object set or removed.
    func setting(_ outer: String, _ name: String, to value: JSON?) throws -> JSON {
        try setting(outer, to: try #require(self[outer]).setting(name, to: value))
    }
}
