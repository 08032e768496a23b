internal import AuthAPI
internal import AuthSettings
internal import HTTPTypes
internal import Secrets
internal import ServerHTTP
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// The client of a request behind a proxy: an unknown client is refused.
@Suite("Behind a proxy")
struct ProxyTests {
    private typealias Bucket = ServerConfiguration.LimitSettings.Bucket

    private static func isBehindProxy(_ configuration: inout ServerConfiguration) {
        configuration.transport = .behindProxy(addresses: [TestServer.peer, "10.0.0.9"])
    }

    @Test("the client is the last address in X-Forwarded-For that is not a proxy's")
    func forwarded() async throws {
        let one = Bucket(burst: 1, perMinute: 1)
        try await TestServer.with(changing: {
            $0.limits.address = one
            Self.isBehindProxy(&$0)
        }) { server in
            let knocks: [([String], Int)] = [
                (["203.0.113.7"], 200), (["203.0.113.7"], 429),
                // The client's own entries come first.
                (["198.51.100.1, 203.0.113.7"], 429), (["198.51.100.1", "203.0.113.7"], 429),
                (["anything at all, 203.0.113.7"], 429), (["", "203.0.113.7"], 429),
                (["203.0.113.7, 10.0.0.9"], 429), (["203.0.113.7,198.51.100.1"], 200),
                // One customer has 2^64 addresses.
                (["2001:db8:1:2:3:4:5:6"], 200), (["2001:db8:1:2:ffff::"], 429), (["2001:db8:1:3::1"], 200),
                // One address in two notations, and with the port of a connection.
                (["::ffff:203.0.113.7"], 429), (["203.0.113.7:50001"], 429), (["[2001:db8:1:2::9]:50002"], 429),
                (["[2001:db8:1:2::9]"], 429), (["203.0.113.8:50001"], 200), (["203.0.113.8:50002"], 429),
            ]
            for (forwarded, status) in knocks {
                let answered = try await server.knock(forwarded)
                #expect(answered == status, "\(forwarded)")
            }
        }
        try await TestServer.with(changing: { $0.limits.address = one }) { server in
            let statuses = [try await server.knock(["203.0.113.7"]), try await server.knock(["203.0.113.8"])]
            #expect(statuses == [200, 429])
        }
    }

    @Test("a request whose client the proxy does not name is refused, and logged once a minute")
    func unnamed() async throws {
        try await TestServer.with(changing: { configuration in
            Self.isBehindProxy(&configuration)
            configuration.metricsAddresses = ["203.0.113.7"]
        }) { server in
            let before = try await TableDump.lasting(in: server)
            let unnamed: [[String]] = [
                [], [""], [","], ["10.0.0.9"], ["10.0.0.9", "10.0.0.9"], ["unknown"], ["203.0.113.7, unknown"],
                ["203.0.113.7", "unix:"], ["203.0.113.7,"], ["203.0.113.7", ""], ["203.0.113.7 198.51.100.1"],
                ["203.0.113.7/32"], ["proxy.example"], ["203.0.113.256"], ["[2001:db8::1"], ["[203.0.113.7]"],
                ["203.0.113.7:x"], ["203.0.113.7:"], ["203.0.113.7:70000"], ["2001:db8::1:"], ["fe80::1%eth0"],
                ["203.0.113.7, ::ffff:10.0.0.9, 203.0.113"],
            ]
            for forwarded in unnamed {
                #expect(try await server.knock(forwarded) == 400, "\(forwarded)")
                for path in ["/", "/metrics", "/openapi.json", "/nothing", "/api/auth/session"] {
                    var headers: HTTPFields = [:]
                    headers[values: .xForwardedFor] = forwarded
                    #expect(try await server.send(.get, path, headers: headers).problem == Problem(.clientUnnamed))
                }
                for path in ["/healthz", "/readyz"] {
                    #expect(try await server.send(.get, path).status == 200)
                }
            }
            // RFC 7239 is not read.
            let headers: HTTPFields = [.forwarded: "for=203.0.113.7"]
            #expect(try await server.send(.get, "/", headers: headers).problem == Problem(.clientUnnamed))
            #expect(try await TableDump.lasting(in: server) == before)

            let lines = { server.log.text.components("X-Forwarded-For of the proxy names no client") }
            #expect(lines() == 1)
            server.clock.advance(.seconds(59))
            _ = try await server.send(.get, "/")
            #expect(lines() == 1)
            server.clock.advance(.seconds(1))
            _ = try await server.send(.get, "/")
            #expect(lines() == 2)
        }
    }

    @Test("a connection that bypasses the proxy is refused, whatever its headers are")
    func strangers() async throws {
        try await TestServer.with(changing: { $0.transport = .behindProxy(addresses: ["10.0.0.9"]) }) {
            server async throws in
            #expect(try await server.knock(["203.0.113.7"]) == 403)
            #expect(try await server.knock([]) == 403)
            for path in ["/", "/metrics", "/healthz", "/readyz", "/openapi.json", "/nothing"] {
                #expect(try await server.send(.get, path).problem == Problem(.proxyRequired), "\(path)")
            }
            #expect(server.log.text.components("not from proxy.addresses") == 1)
        }
        // The monitoring system is named in the settings: it may probe.
        try await TestServer.with(changing: { configuration in
            configuration.transport = .behindProxy(addresses: ["10.0.0.9"])
            configuration.metricsAddresses = [TestServer.peer]
        }) { server async throws in
            for path in ["/metrics", "/healthz", "/readyz"] {
                #expect(try await server.send(.get, path).status == 200, "\(path)")
            }
            let headers: HTTPFields = [.xForwardedFor: "203.0.113.7"]
            #expect(try await server.send(.get, "/metrics", headers: headers).problem == Problem(.proxyRequired))
            #expect(try await server.send(.get, "/").problem == Problem(.proxyRequired))
        }
    }

    @Test("the client is the connection's address, or behind a proxy the one in its header")
    func senders() {
        let proxies = Ingress.behindProxy(addresses: ["2001:db8::1", "::1"])
        let sender = { (peer: String, forwarded: [String], transport: Ingress) in
            var headers: HTTPFields = [:]
            headers[values: .xForwardedFor] = forwarded
            return Sender(of: headers, peer: ClientAddress(peer), transport: transport)
        }
        let client = Sender.client(ClientAddress("203.0.113.7"))
        #expect(sender("2001:db8:0::1", ["203.0.113.7"], proxies) == client)
        #expect(sender("::1", ["203.0.113.7"], proxies) == client)
        #expect(sender("2001:db8::2", ["203.0.113.7"], proxies) == .stranger)
        #expect(sender("127.0.0.1", ["203.0.113.7"], proxies) == .stranger)
        #expect(sender("::1", [], proxies) == .unnamed)
        #expect(sender("203.0.113.7", ["198.51.100.1"], .localhost) == client)
    }

    @Test("metrics are for this machine and the configured addresses, and never for a request through a proxy")
    func metrics() throws {
        var configuration = try TestServer.configuration()
        configuration.metricsAddresses = ["2001:db8::5"]
        let shows = { (peer: String, configuration: ServerConfiguration, headers: HTTPFields) in
            configuration.operatorAccess.showsMetrics(to: ClientAddress(peer), headers)
        }
        for peer in ["2001:db8::5", "::1", "127.0.0.1", "127.0.0.5", "::ffff:127.0.0.1"] {
            #expect(shows(peer, configuration, [:]), "\(peer)")
            for name in [HTTPField.Name.xForwardedFor, .forwarded, .via, .xRealIP] {
                #expect(!shows(peer, configuration, [name: "127.0.0.1"]), "\(peer) \(name)")
            }
        }
        for other in ["2001:db8::6", "::2", "203.0.113.7", "none", "127.0.0.1.example"] {
            #expect(!shows(other, configuration, [:]))
        }
        configuration.transport = .behindProxy(addresses: ["10.0.0.9"])
        #expect(shows("127.0.0.1", configuration, [:]))
        #expect(!shows("10.0.0.9", configuration, [:]))
        // A proxy on this machine that is not configured as one: every request from this machine may be a client's.
        configuration.transport = .behindProxy(addresses: ["127.0.0.1"])
        for peer in ["127.0.0.1", "127.0.0.2", "::1"] { #expect(!shows(peer, configuration, [:])) }
        configuration.metricsAddresses = ["127.0.0.1"]
        #expect(shows("127.0.0.1", configuration, [:]))
        #expect(!shows("127.0.0.1", configuration, [.xForwardedFor: "127.0.0.1"]))
    }

    // MARK: Properties

    /// Returns an address in the notations that proxies use.
    private static func written(_ bytes: [UInt8], _ random: SeededRandom) -> String {
        var text: String
        if bytes.count == 4 {
            text = bytes.map(String.init).joined(separator: ".")
            switch random.below(4) {
            case 0: text += ":\(random.below(65_536))"
            case 1: text = "::ffff:\(text)"
            case 2: text = "[::FFFF:\(text)]:\(random.below(65_536))"
            default: break
            }
        } else {
            text = stride(from: 0, to: 16, by: 2)
                .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16, uppercase: random.below(2) == 0) }
                .joined(separator: ":")
            switch random.below(3) {
            case 0: text = "[\(text)]"
            case 1: text = "[\(text)]:\(random.below(65_536))"
            default: break
            }
        }
        return ["", " ", "\t", "  "][random.below(4)] + text + ["", " "][random.below(2)]
    }

    private static func address(_ random: SeededRandom) -> [UInt8] {
        // Outside the proxies' networks, and not an IPv4-mapped address.
        [203] + random.publicBytes(count: random.below(2) == 0 ? 3 : 15)
    }

    @Test("whatever headers a client sends, the client is the hop before the proxies")
    func property() throws {
        let random = SeededRandom(seed: 14)
        let proxies: [[UInt8]] = [[10, 0, 0, 9], [10, 0, 0, 10], [0xfd] + [UInt8](repeating: 0, count: 14) + [1]]
        let names = try proxies.map { bytes in
            try #require(ForwardedFor.address(of: Self.written(bytes, random)[...]))
        }
        let junk = ["", "unknown", "_hidden", "10.0.0.9", "203.0.113.7", "\"[::1]\"", "unix:", "a b", "127.0.0.1"]
        for run in 0..<3_000 {
            let client = Self.address(random)
            var hops = (0..<random.below(4)).map { _ in junk[random.below(junk.count)] }
            hops.append(Self.written(client, random))
            for _ in 0..<random.below(4) { hops.append(Self.written(proxies[random.below(3)], random)) }
            // The number of headers does not matter.
            var values: [String] = []
            var rest = hops[...]
            while !rest.isEmpty {
                let count = 1 + random.below(rest.count)
                values.append(rest.prefix(count).joined(separator: ","))
                rest = rest.dropFirst(count)
            }
            let expected = try #require(ForwardedFor.address(of: Self.written(client, random)[...]))
            let found = ForwardedFor.client(in: values, proxies: names)
            #expect(found?.exact == expected, "run \(run): \(values)")
            // Entries before a malformed one are not believed.
            for wrong in ["", "unknown", "203.0.113.7.8", "[203.0.113.7]", "::1::", "203.0.113.7:-1"] {
                #expect(ForwardedFor.client(in: values + [wrong], proxies: names) == nil, "run \(run): \(wrong)")
            }
        }
    }

    @Test("random text neither parses as an address nor crashes")
    func fuzz() {
        let seeds = ["203.0.113.7:80", "[2001:db8::1]:443", "::ffff:192.0.2.1", "2001:db8::1", "[::1]"]
        Fuzz.mutations(of: seeds.map { Array($0.utf8) }, iterations: 5_000) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let address = ForwardedFor.address(of: text[...]) else { return }
            // An address is written in canonical form, and parses to itself.
            guard ClientAddress.canonical(address) == address, !text.contains("\0") else { throw StoreError.damaged }
        }
    }

    @Test("networks of an address: a /24 of IPv4, a /56 and a /48 of IPv6; a customer is one address, or a /48")
    func networks() {
        let five = ClientAddress("2001:db8:1:2ff:3::4")
        #expect(five.description == "2001:db8:1:2ff::/64")
        #expect(five.customer == "2001:db8:1::/48")
        #expect(five.networks.map(\.prefix.count) == [7, 6])
        #expect(five.networks == ClientAddress("2001:db8:1:200::").networks)
        #expect(five.networks[0] != ClientAddress("2001:db8:1:300::").networks[0])
        #expect(five.networks[1] == ClientAddress("2001:db8:1:300::").networks[1])
        let four = ClientAddress("::ffff:203.0.113.7")
        #expect(four.customer == "203.0.113.7")
        #expect(four.networks.map(\.prefix) == [[203, 0, 113]])
        #expect(ClientAddress("none").networks.isEmpty)
    }
}

extension String {
    /// Returns how often a text occurs.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
