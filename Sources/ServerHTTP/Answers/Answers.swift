package import AuthAPI
package import Encoding
package import HTTPTypes
package import Hummingbird
internal import NIOCore

extension Response {
    /// Returns an answer that no cache may keep: for tokens and data of an account.
    package static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.encoded)))
    }

    /// Returns a public answer that caches may keep for this many seconds.
    package static func publicJSON(_ json: JSON, seconds: Int) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "public, max-age=\(seconds)"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.encoded)))
    }

    package static let empty = Response(status: .noContent, headers: [.cacheControl: "no-store"])

    package static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Returns a problem answer (RFC 9457), with the header fields that RFC 9449, 9470, 6585 and 6750 require.
    ///
    /// - Parameter requestID: the id for the body, by which a person can name a request at which the server failed.
    package static func problem(_ problem: Problem, requestID: String? = nil) -> Response {
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let seconds = problem.retryAfter { headers[.retryAfter] = String(seconds) }
        if problem.status == 401 { headers[.wwwAuthenticate] = challenge(problem) }
        var json = problem.json
        if let requestID, let members = json.object?.members {
            let all = members + [JSON.Object.Member(name: "request_id", value: .string(requestID))]
            if let object = try? JSON.Object(all) { json = .object(object) }
        }
        return Response(
            status: HTTPResponse.Status(code: problem.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.encoded)))
    }

    private static func challenge(_ problem: Problem) -> String {
        switch problem.code {
        case .invalidClient: return "Basic realm=\"fueki\""
        case .insufficientUserAuthentication:
            let age = problem.maxAge.map { ", max_age=\"\($0)\"" } ?? ""
            return "DPoP error=\"insufficient_user_authentication\"\(age), algs=\"ES256\""
        default: return "DPoP error=\"\(problem.code.rawValue)\", algs=\"ES256\""
        }
    }
}
