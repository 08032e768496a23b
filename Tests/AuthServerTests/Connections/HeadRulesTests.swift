internal import AuthAPI
internal import NIOHTTP1
internal import Testing

@testable internal import AuthServer

@Suite("The rules for heads of requests")
struct HeadRulesTests {
    private static func refusal(of host: String, _ environment: [String: String]) throws -> Problem? {
        let configuration = try ServerConfiguration(ConfigurationSource(file: nil, environment: environment))
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": host])
        return HeadRules(configuration).refusal(of: head)
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
