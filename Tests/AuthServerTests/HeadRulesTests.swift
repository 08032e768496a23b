internal import AuthAPI
internal import AuthSettings
internal import NIOHTTP1
internal import ServerHTTP
internal import Testing

@testable internal import AuthServer

@Suite("The rules for heads of requests")
struct HeadRulesTests {
    private static func refusal(
        of host: String, target: String = "/", _ environment: [String: String]
    ) throws -> Problem? {
        let configuration = try ServerConfiguration(ConfigurationSource(file: nil, environment: environment))
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: ["Host": host])
        return HeadRules(configuration.transport, names: configuration.hostNames).refusal(of: head)
    }

    private static let local = ["FUEKID_LISTEN": "127.0.0.1:8421"]
    private static let tls = [
        "FUEKID_PUBLIC_URL": "https://auth.example.org", "FUEKID_LISTEN": "inner.example.org:443",
        "FUEKID_TLS_CERTIFICATE": "/c", "FUEKID_TLS_KEY": "/k",
    ]
    private static let proxy = ["FUEKID_PUBLIC_URL": "https://auth.example.org", "FUEKID_PROXY_ADDRESSES": "192.0.2.1"]

    @Test("the host may be the public URL's, the listen address, localhost or an address")
    func own() throws {
        for host in ["localhost", "localhost:8421", "127.0.0.1:8421", "192.0.2.7", "[::1]:8421"] {
            #expect(try Self.refusal(of: host, Self.local) == nil, "\(host)")
            #expect(try Self.refusal(of: host, Self.tls) == nil, "\(host)")
        }
        for host in ["auth.example.org", "AUTH.example.org:443", "inner.example.org"] {
            #expect(try Self.refusal(of: host, Self.tls) == nil, "\(host)")
            #expect(try Self.refusal(of: host, Self.local) == Problem(.notFound, status: 421), "\(host)")
        }
        for host in ["evil.example", "auth.example.org.evil.example", "xauth.example.org", "localhost.evil.example"] {
            #expect(try Self.refusal(of: host, Self.tls) == Problem(.notFound, status: 421), "\(host)")
        }
    }

    @Test("the host of a target in absolute form takes the place of the field")
    func absoluteForm() throws {
        for target in ["http://localhost/metrics", "http://localhost:8421", "HTTP://127.0.0.1?a", "http://[::1]:8421/"]
        {
            #expect(try Self.refusal(of: "localhost", target: target, Self.local) == nil, "\(target)")
            // RFC 9112: the field has to be there and valid, and its value is ignored.
            #expect(try Self.refusal(of: "evil.example", target: target, Self.local) == nil, "\(target)")
            #expect(try Self.refusal(of: "a b", target: target, Self.local) == Problem(.malformedRequest), "\(target)")
        }
        for target in ["http://evil.example/metrics", "https://evil.example", "x://localhost.evil.example:1/a?b=://c"] {
            let refusal = try Self.refusal(of: "localhost", target: target, Self.local)
            #expect(refusal == Problem(.notFound, status: 421), "\(target)")
        }
        for target in ["http://", "http:///a", "http://a@localhost/", "http://localhost:x/", "http://localhost evil/"] {
            let refusal = try Self.refusal(of: "localhost", target: target, Self.local)
            #expect(refusal == Problem(.malformedRequest), "\(target)")
        }
        // A query is not an authority.
        #expect(try Self.refusal(of: "localhost", target: "/a?b=http://evil.example/", Self.local) == nil)
    }

    @Test("behind a proxy any valid host is accepted")
    func behindProxy() throws {
        for host in ["auth.example.org", "fuekid:8420", "backend_1", "192.0.2.7"] {
            #expect(try Self.refusal(of: host, Self.proxy) == nil, "\(host)")
        }
        for host in ["", "a b", "a/b", "a,b", "a@b", "[::1", "[x]", "a:b", "::1"] {
            #expect(try Self.refusal(of: host, Self.proxy) == Problem(.malformedRequest), "\(host)")
        }
    }
}
