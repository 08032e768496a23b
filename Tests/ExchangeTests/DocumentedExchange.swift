import Exchange
import ExchangeCredentials
import PinnedHTTP
import SecretStoreTestSupport
import Secrets
import SecureStorage
import TestSupport
import Testing
import Time

/// The snippets of the library's pages, as an app outside the package would write them.
@Suite("Snippets") struct SnippetTests {
    private func trade(
        _ order: Order, label: KeyLabel, in keyring: Keyring, folder: String, seen: String, transport: any HTTPTransport
    ) async throws -> OrderOutcome? {
        let client = try ExchangeClient(
            of: .kraken, key: label, in: keyring, state: try ExchangeState(folder: folder, seen: seen),
            transport: transport,
            clock: .system, random: SystemRandom(), window: ExchangeLimits.window)
        for entry in try await client.unsettledOrders() { _ = try await client.reconcile(entry.id) }
        let report = try await client.probePermissions()
        guard report.worst != .danger else { return nil }
        let outcome = try await client.place(order, as: ClientOrderID(random: SystemRandom()))
        return outcome
    }

    @Test("the page's example trades with a key that is not dangerous, and stops otherwise", arguments: [true, false])
    func trades(isRestricted: Bool) async throws {
        let fixture = try await ExchangeFixture(.kraken)
        let addresses = isRestricted ? #"["192.0.2.1"]"# : "[]"
        fixture.exchange.answer(
            "/0/private/GetApiKeyInfo",
            with: #"{"permissions":["query-funds","modify-trades"],"ipAllowlist":\#(addresses)}"#)
        // The client of the example has the real clock.
        fixture.exchange.setAhead(Int64(ExchangeClock.system.now().milliseconds) - Int64(fixture.time.now))
        let folder = try SharedFolder()
        let outcome = try await trade(
            fixture.order(), label: fixture.label, in: fixture.keyring, folder: folder.path,
            seen: folder.path + ".seen",
            transport: fixture.exchange)
        #expect((outcome != nil) == isRestricted)
        #expect(fixture.exchange.placed.count == (isRestricted ? 1 : 0))
    }
}
