import ExchangeCredentials
import PinnedHTTP
import Secrets
import Testing

@testable import Exchange

/// What another server than the exchange's says, such as one for tests, is kept apart.
@Suite("Another server than the exchange's") struct OtherServerTests {
    private let json = [HTTPHeader("Content-Type", "application/json")]

    @Test("its ban does not stop requests to the exchange, and the other way round")
    func pauses() async throws {
        for (first, second) in [("http://127.0.0.1:1", nil), (nil, "http://127.0.0.1:1")] as [(String?, String?)] {
            let fixture = try await ExchangeFixture()
            fixture.exchange.answer("/api/v3/account", with: #"{"balances":[]}"#)
            fixture.exchange.next(.answerInstead(status: 418, body: "{}", headers: json), at: "GET /api/v3/account")
            await #expect(throws: ExchangeError.self) { _ = try await fixture.restarted(at: first).balances() }
            #expect(try await fixture.restarted(at: second).balances().assets.isEmpty)
            // The server that asked for the pause is not asked again.
            await #expect(throws: ExchangeError.self) { _ = try await fixture.restarted(at: first).balances() }
        }
    }

    @Test("its orders are in a journal of their own, and another port is another server")
    func journals() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let id = fixture.newID()
        _ = try await fixture.restarted(at: "http://127.0.0.1:1").place(fixture.order(), as: id)
        #expect(try await fixture.restarted(at: "http://127.0.0.1:1").journal().map(\.id) == [id])
        #expect(try await fixture.restarted(at: "http://127.0.0.1:2").journal().isEmpty)
        #expect(try await fixture.restarted(at: nil).journal().isEmpty)
    }

    @Test("an order that is held there does not hold the exchange's order of the same id")
    func holds() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let (id, other) = (fixture.newID(), try fixture.restarted(at: "http://127.0.0.1:1"))
        _ = try await other.place(fixture.order(), as: id, isReported: false)
        _ = try await fixture.restarted().place(fixture.order(), as: id, isReported: false)
        try await fixture.client.noteReported(id)
        #expect(try await fixture.client.unreportedOrders().isEmpty)
        #expect(try await other.unreportedOrders().map(\.id) == [id])
    }

    @Test("the orders of a key whose outcome is unknown are found at all servers, and no settled one")
    func unsettled() async throws {
        let fixture = try await ExchangeFixture()
        let (settled, lost, other) = (fixture.newID(), fixture.newID(), fixture.newID())
        _ = try await fixture.client.place(fixture.order(), as: settled)
        for (id, address) in [(lost, nil), (other, "http://127.0.0.1:1")] as [(ClientOrderID, String?)] {
            fixture.exchange.next(.cutAfter)
            fixture.exchange.next(.answerInstead(status: 418, body: "", headers: []), at: "GET /api/v3/order")
            _ = try await fixture.restarted(at: address).place(fixture.order(), as: id)
        }
        let fingerprint = try #require(try await fixture.keyring.record(fixture.label, at: .binance)).fingerprint
        let unsettled = try ExchangeState(fixture.files).unsettledOrders(ofKey: fingerprint, at: .binance)
        #expect(unsettled.map(\.id) == [lost, other])
        #expect(
            try ExchangeState(fixture.files).unsettledOrders(ofKey: String(repeating: "0", count: 32), at: .binance)
                .isEmpty)
    }

    @Test("another of the exchange's own names is the same server: one journal and one pause")
    func aliases() async throws {
        let fixture = try await ExchangeFixture()
        let id = fixture.newID()
        _ = try await fixture.restarted(at: "https://API1.Binance.com.:443/").place(fixture.order(), as: id)
        for name in ["api", "api-gcp", "api2", "api3", "api4"] {
            #expect(try await fixture.restarted(at: "https://\(name).binance.com").journal().map(\.id) == [id])
        }
        for other in [
            "https://api5.binance.com", "https://testnet.binance.vision", "https://api1.binance.com:444",
            "https://api.kraken.com",
        ] { #expect(try await fixture.restarted(at: other).journal().isEmpty) }
        #expect(!Venue.kraken.has(try Origin(exchangeAt: "https://api.binance.com")))
    }

    @Test("its statement about rights, and a use there, are not noted in the key's record")
    func notes() async throws {
        let fixture = try await ExchangeFixture(.kraken)
        fixture.exchange.answer(
            "/0/private/GetApiKeyInfo", with: #"{"permissions":["query-funds"],"ipAllowlist":["192.0.2.1"]}"#)
        _ = try await fixture.restarted(at: "http://127.0.0.1:1").probePermissions()
        let record = try #require(try await fixture.keyring.record(fixture.label, at: .kraken))
        #expect(record.rights == nil && record.lastUsed == nil)
        _ = try await fixture.restarted(at: "https://api.kraken.com").probePermissions()
        #expect(try await fixture.keyring.record(fixture.label, at: .kraken)?.rights == [.read])
    }
}
