internal import AuthAPI
internal import Encoding
internal import HTTPTypes
internal import HummingbirdTesting
internal import NIOCore
internal import Testing

/// Not that of TestSupport, which reads vectors.
typealias JSON = Encoding.JSON

/// What the server answered.
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

    /// Nil if it is no problem in the right form: `application/problem+json`, with the status of the answer inside.
    var problem: Problem? {
        guard headers[.contentType] == "application/problem+json", let json = try? JSON(decoding: body),
            let problem = Problem(json), problem.status == status
        else { return nil }
        return problem
    }

    /// The body of an answer that is none of a refusal. - Throws: the refusal, as a ``AuthAPI/Problem``.
    func json() throws -> JSON {
        if let problem { throw problem }
        try #require((200..<300).contains(status), "neither a success nor a problem: \(status)")
        return body.isEmpty ? .null : try JSON(decoding: body, limit: 4 << 20)
    }
}

extension JSON {
    /// The object with one member set, or taken out.
    func setting(_ name: String, to value: JSON?) throws -> JSON {
        var members = try #require(object).members.filter { $0.name != name }
        if let value { members.append(Object.Member(name: name, value: value)) }
        return .object(try Object(members))
    }

    /// The object with one member of one of its members set, or taken out.
    func setting(_ outer: String, _ name: String, to value: JSON?) throws -> JSON {
        try setting(outer, to: try #require(self[outer]).setting(name, to: value))
    }
}
