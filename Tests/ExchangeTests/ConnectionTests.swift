import ExchangeCredentials
import PinnedHTTP
import Testing
import Time

@testable import Exchange

@Suite("Connections to an exchange") struct ConnectionTests {
    private let pins = (1...2).compactMap { Pin(bytes: [UInt8](repeating: $0, count: 32)) }

    private func client(_ text: String, pins: [Pin]) throws -> PinnedClient {
        try ExchangeConnection(pins: pins, roots: .system, proxy: nil).client(
            to: try Origin(exchangeAt: text), userAgent: "test", now: { 0 })
    }

    @Test(
        "an address is https, or http on this machine",
        arguments: [
            ("https://api.kraken.com", "https://api.kraken.com"), ("https://api.kraken.com/", "https://api.kraken.com"),
            ("HTTPS://API.kraken.com:444", "https://api.kraken.com:444"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://[::1]", "http://[::1]"), ("http://localhost:1", "http://localhost:1"),
        ])
    func addresses(text: String, origin: String) throws {
        #expect(try Origin(exchangeAt: text).description == origin)
    }

    @Test(
        "another address is refused",
        arguments: [
            "", "api.kraken.com", "ftp://api.kraken.com", "https://", "https://a/b", "https://a?b", "https://user@a",
            "https://a:0", "https://a:65536", "https://a:+1", "https://a:", "https://::1", "https://[::1",
            "https://a b",
            "https://\u{430}pi.kraken.com", "https://" + String(repeating: "a", count: 600),
        ])
    func malformed(text: String) {
        #expect(throws: ExchangeError.invalid(.endpoint, .notAnAddress)) { _ = try Origin(exchangeAt: text) }
    }

    @Test("a server on another machine without encryption is refused, by the address, the connection and the client")
    func unencrypted() async throws {
        let refused = ExchangeError.connection(.notEncrypted)
        for text in ["http://api.kraken.com", "http://192.168.1.2:8080", "http://127.0.0.1.example"] {
            #expect(throws: refused) { _ = try Origin(exchangeAt: text) }
        }
        let origin = try #require(Origin(.http, host: "192.168.1.2", port: 8080))
        #expect(throws: refused) {
            _ = try ExchangeConnection(pins: [], roots: .system, proxy: nil).client(
                to: origin, userAgent: "test", now: { 0 })
        }
        let fixture = try await ExchangeFixture()
        #expect(throws: refused) {
            _ = try ExchangeClient(
                of: .binance, key: fixture.label, in: fixture.keyring, state: ExchangeState(fixture.files),
                transport: fixture.exchange, origin: origin, clock: fixture.time.clock, random: fixture.random,
                window: .seconds(5))
        }
    }

    @Test("an onion service needs a proxy")
    func onion() throws {
        #expect(throws: ExchangeError.connection(.onionWithoutProxy)) {
            _ = try client("https://abcdef.onion", pins: [])
        }
        let proxy = try #require(SOCKSProxy(url: "socks5://127.0.0.1:9050"))
        _ = try ExchangeConnection(pins: [], roots: .system, proxy: proxy).client(
            to: try Origin(exchangeAt: "https://abcdef.onion"), userAgent: "test", now: { 0 })
    }

    @Test("pins are two or more different ones, and need encryption")
    func pinning() throws {
        _ = try client("https://api.kraken.com", pins: pins)
        #expect(throws: ExchangeError.pins(.noBackup)) {
            _ = try client("https://api.kraken.com", pins: Array(pins.prefix(1)))
        }
        #expect(throws: ExchangeError.pins(.repeatedPin)) {
            _ = try client("https://api.kraken.com", pins: [pins[0], pins[0]])
        }
        #expect(throws: ExchangeError.connection(.pinsWithoutTLS)) {
            _ = try client("http://127.0.0.1:1", pins: pins)
        }
        #expect(try ExchangeConnection.pins(in: "\(pins[0]) \(pins[1])") == pins)
        for text in ["", "sha256/AAAA", "\(pins[0]) x"] {
            #expect(throws: ExchangeError.invalid(.pins, .notPins)) { _ = try ExchangeConnection.pins(in: text) }
        }
    }
}
