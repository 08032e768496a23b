import Testing

@testable import PinnedHTTP

@Suite("The servers that may be reached")
struct ConnectionFaultTests {
    private typealias PlainHTTP = ClientConfiguration.PlainHTTP

    private func origin(_ scheme: Origin.Scheme, _ host: String) throws -> Origin {
        try #require(Origin(scheme, host: host))
    }

    private func configuration(_ plain: PlainHTTP, throughProxy isProxied: Bool) throws -> ClientConfiguration {
        let proxy = try #require(SOCKSProxy(url: "socks5://127.0.0.1:9050"))
        return ClientConfiguration(
            userAgent: "test", roots: .system, plainHTTP: plain, proxy: isProxied ? proxy : nil)
    }

    /// Returns the reason why a client of one server is refused; nil if it is made.
    private func fault(
        _ scheme: Origin.Scheme, _ host: String, _ plain: PlainHTTP = .never, throughProxy isProxied: Bool = false,
        pins: PinPolicy = .none
    ) throws -> ConnectionFault? {
        let (origin, configuration) = (
            try origin(scheme, host), try configuration(plain, throughProxy: isProxied)
        )
        do throws(ConnectionFault) { _ = try PinnedClient(to: origin, configuration, pins: pins, now: { 0 }) } catch {
            return error
        }
        return nil
    }

    @Test("http reaches this machine or allowed hosts only, as the configuration says")
    func encryption() throws {
        #expect(try fault(.https, "node.example") == nil)
        #expect(try fault(.https, "node.example", throughProxy: true) == nil)
        for host in ["localhost", "127.0.0.1", "127.8.9.1", "::1"] {
            #expect(try fault(.http, host) == .notEncrypted, "\(host)")
            #expect(try fault(.http, host, .loopback) == nil, "\(host)")
            // Such a server is reached directly: the proxy's machine may be another one.
            #expect(try fault(.http, host, .loopback, throughProxy: true) == nil, "\(host)")
            #expect(throws: ConnectionFault.notEncrypted, "\(host)") {
                try configuration(.loopback, throughProxy: true).check(origin(.http, host), .none)
            }
        }
        for host in ["node.example", "192.168.1.5", "localhost.example", "127.0.0.1.example", "fd00::1"] {
            #expect(try fault(.http, host, .loopback) == .notEncrypted, "\(host)")
            #expect(try fault(.http, host, .hosts(["other.example"])) == .notEncrypted, "\(host)")
            #expect(try fault(.http, host, .hosts([host])) == nil, "\(host)")
        }
    }

    @Test("an onion service is reached through a proxy only, also by https")
    func onions() throws {
        for scheme in [Origin.Scheme.http, .https] {
            let allowed = PlainHTTP.hosts(["abcdef.onion"])
            #expect(try fault(scheme, "abcdef.onion", allowed) == .onionWithoutProxy)
            #expect(try fault(scheme, "abcdef.onion", allowed, throughProxy: true) == nil)
        }
        #expect(try fault(.http, "abcdef.onion", throughProxy: true) == .notEncrypted)
        #expect(try fault(.https, "onion.example") == nil)
    }

    @Test("a host with pins is not reached by http, nor is any host if the policy refuses those without pins")
    func pins() throws {
        let keys = try (1...2).map { try #require(Pin(bytes: [UInt8](repeating: $0, count: 32))) }
        let pinned = try PinPolicy(host: "localhost", pins: keys, unpinned: .allow)
        #expect(try fault(.http, "localhost", .loopback, pins: pinned) == .pinsWithoutTLS)
        #expect(try fault(.https, "localhost", pins: pinned) == nil)
        #expect(try fault(.http, "127.0.0.1", .loopback, pins: pinned) == nil)
        let strict = try PinPolicy(serial: 1, unpinned: .refuse, hosts: [])
        #expect(try fault(.http, "localhost", .loopback, pins: strict) == .pinsRequired)
        #expect(try fault(.http, "node.example", .loopback, pins: strict) == .notEncrypted)
    }
}
