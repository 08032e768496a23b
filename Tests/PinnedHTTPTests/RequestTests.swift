import Testing

@testable import PinnedHTTP

@Suite("Requests")
struct RequestTests {
    private func encoded(_ request: HTTPRequest?) throws -> String {
        String(decoding: try request.required.encoded(userAgent: "app/1"), as: UTF8.self)
    }

    @Test("a request is encoded with the headers of the client and those of the caller")
    func encoding() throws {
        let origin = try Origin(host: "API.example.org.").required
        #expect(
            try encoded(HTTPRequest(.get, "/time?a=b", at: origin, headers: [HTTPHeader("X-Key", "1 2")]))
                == "GET /time?a=b HTTP/1.1\r\nHost: api.example.org\r\nUser-Agent: app/1\r\nX-Key: 1 2\r\n\r\n")
        let six = try Origin(.http, host: "[::1]", port: 8080).required
        #expect(
            try encoded(HTTPRequest(.post, "/", at: six, body: Array("ab".utf8)))
                == "POST / HTTP/1.1\r\nHost: [::1]:8080\r\nUser-Agent: app/1\r\nContent-Length: 2\r\n\r\nab")
        #expect(try encoded(HTTPRequest(.put, "/", at: six)).contains("Content-Length: 0\r\n"))
        #expect(try !encoded(HTTPRequest(.delete, "/", at: six)).contains("Content-Length"))
    }

    @Test(
        "a header that would end its line, or that decides about the connection or the body, is refused",
        arguments: [
            ("A\r\nB", "c"), ("A", "b\r\nC: d"), ("A", "b\nc"), ("A:", "b"), ("", "b"), ("A", "ü"),
            ("Host", "other.test"),
            ("content-length", "0"), ("Transfer-Encoding", "chunked"), ("CONNECTION", "upgrade"), ("Upgrade", "h2c"),
            ("Expect", "100-continue"), ("Proxy-Authorization", "x"), ("User-Agent", "other"),
        ])
    func headers(_ name: String, _ value: String) throws {
        let origin = try Origin(host: "api.example.org").required
        #expect(HTTPRequest(.get, "/", at: origin, headers: [HTTPHeader(name, value)]) == nil)
    }

    @Test(
        "a target that would end its line or name another server is refused",
        arguments: ["", "time", "https://other.test/", "/a b", "/a\r\nB: c", "/a#b", "/ä", "*"])
    func targets(_ target: String) throws {
        #expect(HTTPRequest(.get, target, at: try Origin(host: "api.example.org").required) == nil)
    }

    @Test("queries may be repeated by default, others not")
    func repetition() throws {
        let origin = try Origin(host: "api.example.org").required
        #expect(HTTPRequest(.get, "/", at: origin)?.repetition == .allowed)
        #expect(HTTPRequest(.head, "/", at: origin)?.repetition == .allowed)
        for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
            #expect(HTTPRequest(method, "/", at: origin)?.repetition == .never)
        }
    }
}
