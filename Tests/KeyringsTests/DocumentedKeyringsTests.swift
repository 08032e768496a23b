internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import Keyrings

/// The snippet of the library's page.
@Suite(
    "Keyrings: documentation", .enabled(if: Peer.secretService.isExpected, "\(Peer.secretService.absence)"))
struct DocumentedKeyringsTests {
    @Test("a token is kept in the Secret Service")
    func token() async throws {
        let desktop = try await Desktop(.gnomeKeyring)
        let environment = desktop.environment
        let token = secret("a token")
        // snippet
        let store = SecretServiceStore(environment: environment, prompting: .allowed(limit: .seconds(60)))
        try await store.save(token, as: .accessToken(issuer: "https://exchange.example"))
        let loaded = try await store.load(.accessToken(issuer: "https://exchange.example"))
        // end
        #expect(text(loaded) == "a token")
        withExtendedLifetime(desktop) {}
    }
}
