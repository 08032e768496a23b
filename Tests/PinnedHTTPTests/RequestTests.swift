import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

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

    @Test("no text about a request or an answer has a target, the value of a header, or a body")
    func descriptions() throws {
        let origin = try Origin(host: "api.example.org").required
        let header = HTTPHeader("X-Key", "needle")
        let request = try HTTPRequest(
            .post, "/order?signature=needle", at: origin, headers: [header], body: Array("needle".utf8)
        ).required
        let response = HTTPResponse(status: 200, headers: [header], body: Array("needle".utf8))
        for value in [request, [request], response, header, [header], Optional(header) as Any] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("needle") && !text.contains("110, 101"), "\(text)")
            }
        }
        #expect("\(request)" == "POST https://api.example.org")
        #expect("\(response)" == "200")
        #expect("\(header)" == "X-Key: <redacted>")
    }

    @Test(
        "an address has one spelling, so that its pins are found",
        arguments: [
            ("[2001:DB8:0:0::0:1]", "2001:db8::1"), ("2001:0db8::0001", "2001:db8::1"), ("0:0:0:0:0:0:0:1", "::1"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:0:0:2:0:0:3:4", "1::2:0:0:3:4"),
            ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
            ("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"), ("0:0:0:0:0:0:0:0", "::"), ("::1.2.3.4", "::102:304"),
            ("127.0.0.1.", "127.0.0.1"), ("API.Example.org.", "api.example.org"), ("1.example.org", "1.example.org"),
        ])
    func spelling(_ text: String, _ host: String) throws {
        #expect(try Origin(host: text).required.host == host)
    }

    @Test(
        "addresses that resolvers read in another way are refused",
        arguments: [
            "127.1", "2130706433", "0x7f000001", "0x7f.1", "127.0.0.0x1", "127.0.0.001", "010.0.0.1", "1.2.3.4.5",
            "256.1.1.1", "example.1", "::ffff:127.0.0.1", "::ffff:7f00:1", "1::2::3", "dead:beef", ":", "1:2",
            "[example.org]", "[127.0.0.1]", "fe80::1%eth0", "api.\u{212A}raken.com",
        ])
    func addresses(_ text: String) { #expect(Origin(host: text) == nil) }

    @Test(
        "a host and a port are read as a URL has them",
        arguments: [
            ("api.example.org", "api.example.org", 443), ("API.example.org:8443", "api.example.org", 8443),
            ("[::1]:1", "::1", 1), ("[::1]", "::1", 443), ("127.0.0.1:65535", "127.0.0.1", 65_535),
        ] as [(String, String, UInt16)])
    func authority(_ text: String, _ host: String, _ port: UInt16) throws {
        let origin = try Origin(.https, authority: text).required
        #expect(origin.host == host && origin.port == port)
    }

    @Test(
        "a part of a URL that names no server is refused",
        arguments: [
            "", ":80", "a b", "user@a", "a/b", "::1", "::1:80", "[::1", "[a]", "[::1]x", "[127.0.0.1]", "a:b", "a:",
            "a:0",
            "a:65536", "a:0x50", "a:+80", "a:-1", "a:８０", "a:80:80", "ä",
        ])
    func noAuthority(_ text: String) { #expect(Origin(.https, authority: text) == nil) }

    @Test("a name of the program that would end its line stops the program, also if it is set later")
    func userAgent() async throws {
        await #expect(processExitsWith: .failure) {
            _ = ClientConfiguration(userAgent: "app\r\nHost: other.test", roots: .system)
        }
        await #expect(processExitsWith: .failure) {
            var configuration = ClientConfiguration(userAgent: "app", roots: .system)
            configuration.userAgent = "app\r\nHost: other.test"
        }
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
