internal import AuthAPI
internal import AuthStore
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

/// No account can slow the store down for others.
@Suite("Kept sessions and exports of an account")
struct AccountExportTests {
    @Test("an account with many sign-ins keeps no more rows than the limits", arguments: StoreUnderTest.expected)
    func signIns(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            try await phone.signUp(with: keys)
            for _ in 0..<(AuthLimits.sessions + Int(AuthStoreLimits.endedSessions) + 20) {
                try await phone.signIn(with: keys)
            }
            let rows = try await server.database.read { try $0.run("SELECT family_id FROM refresh_tokens", []).count }
            #expect(rows == AuthLimits.sessions + Int(AuthStoreLimits.endedSessions))
        }
    }

    @Test("an account may be exported three times, and then once a minute", arguments: StoreUnderTest.expected)
    func exports(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store) { server in
            let (phone, other) = (server.device(), server.device())
            try await phone.signUp(with: server.authenticator())
            try await other.signUp(with: server.authenticator())
            for _ in 0..<3 { try await phone.call(.get, "/api/account/export") }
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) {
                try await phone.call(.get, "/api/account/export")
            }
            try await other.call(.get, "/api/account/export")
            server.clock.advance(.minutes(1))
            try await phone.call(.get, "/api/account/export")
        }
    }

    @Test("two exports run at a time; a third is refused, and other reads and writes continue")
    func exportsAtOnce() async throws {
        try await TestServer.with { server in
            let (phone, other) = (server.device(), server.device())
            try await phone.signUp(with: server.authenticator())
            try await other.signUp(with: server.authenticator())
            let places = server.server.useCases.export.places
            for _ in 0..<Limits.exportsAtOnce { #expect(places.enter()) }
            await #expect(throws: Problem(.unavailable, retryAfter: 1)) {
                try await phone.call(.get, "/api/account/export")
            }
            #expect(try await other.isSignedIn())
            places.leave()
            try await phone.call(.get, "/api/account/export")
            // Its place is free again.
            try await phone.call(.get, "/api/account/export")
        }
    }
}
